// SPDX-License-Identifier: MIT

#include "story_line.h"

#include <stdio.h>
#include <string.h>

#define BECAUSE "because: "
#define LIBRARY "mezzanine: "

static const char *last_reason(const char *story)
{
    const char *reason = NULL;
    for (const char *next = story; (next = strstr(next, BECAUSE)); next += strlen(BECAUSE))
        reason = next + strlen(BECAUSE);
    return reason;
}

static const char *first_line_with(const char *story, const char *label)
{
    for (const char *end; (end = strchr(story, '\n')); story = end + 1) {
        const char *line = end + 1 + strspn(end + 1, " ");
        if (strncmp(line, label, strlen(label)) == 0)
            return line;
    }
    return NULL;
}

// Adds `before`, the text up to its line's end, and `after`. Cuts what does not fit.
static void add(char *line, size_t size, const char *before, const char *text, const char *after)
{
    const size_t used = strlen(line);
    if (text)
        snprintf(
            line + used, size - used, "%s%.*s%s", before, (int)strcspn(text, "\n"), text, after);
}

void story_line(const char *story, const char *detail, char *line, size_t size)
{
    if (strncmp(story, LIBRARY, strlen(LIBRARY)) == 0)
        story += strlen(LIBRARY);
    line[0] = '\0';
    add(line, size, "", story, "");
    add(line, size, ": ", last_reason(story), "");
    add(line, size, " (", detail ? first_line_with(story, detail) : NULL, ")");
}
