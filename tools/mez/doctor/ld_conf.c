// SPDX-License-Identifier: MIT

#include "ld_conf.h"

#include <stdbool.h>
#include <string.h>

#define BLANKS " \t\r\n\v\f"
#define INCLUDE "include"

static char *trim(char *text)
{
    text += strspn(text, BLANKS);
    size_t length = strlen(text);
    while (length > 0 && strchr(BLANKS, text[length - 1]))
        length--;
    text[length] = '\0';
    return text;
}

static bool begins_with_word(const char *text, const char *word)
{
    const size_t length = strlen(word);
    return strncmp(text, word, length) == 0 && text[length] && strchr(BLANKS, text[length]);
}

enum ld_conf_kind ld_conf_read_line(char *line, char **text)
{
    line[strcspn(line, "#")] = '\0';
    *text = trim(line);
    if (begins_with_word(*text, INCLUDE)) {
        *text = trim(*text + strlen(INCLUDE));
        return LD_CONF_INCLUDE;
    }
    return **text == '/' ? LD_CONF_FOLDER : LD_CONF_NOTHING;
}
