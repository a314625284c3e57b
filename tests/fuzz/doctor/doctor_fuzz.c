// SPDX-License-Identifier: MIT
//
// Fuzz target of what `mez doctor` parses: lists of devices and lines of /etc/ld.so.conf. Built with -fsanitize=fuzzer this is a
// libFuzzer target; built plainly it takes each line of the files it is given.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor/ld_conf.h"
#include "doctor/mask.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool condition, const char *what, const char *text)
{
    if (condition)
        return;
    fprintf(stderr, "\"%s\": %s\n", text, what);
    abort();
}

typedef bool parser(const char *list, struct bad_item *bad);

// What is blamed is one item of the list, and without it the list before is good.
static void use_list(parser *parse, const char *list)
{
    struct bad_item bad = {0};
    if (parse(list, &bad))
        return;
    const size_t place = (size_t)(bad.text - list);
    require(place <= strlen(list), "blames what is behind it", list);
    require((size_t)bad.length <= strlen(bad.text), "blames more than there is", list);
    require(!memchr(bad.text, ',', (size_t)bad.length), "blames two items", list);
    require(place == 0 || bad.text[-1] == ',', "blames half an item", list);
    if (place == 0)
        return;
    char *good = strndup(list, place - 1);
    require(good && parse(good, &bad), "has ignored an item", list);
    free(good);
}

static void use_line(const char *text)
{
    char *line = strdup(text), *rest = NULL;
    require(line != NULL, "no memory", text);
    const enum ld_conf_kind kind = ld_conf_read_line(line, &rest);
    require(rest >= line && rest <= line + strlen(text), "outside of the line", text);
    require(kind != LD_CONF_FOLDER || *rest == '/', "no folder", text);
    require(!strchr(rest, '#'), "a comment", text);
    free(line);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char *text = strndup((const char *)bytes, size);
    require(text != NULL, "no memory", "");
    use_list(mask_is_good, text);
    use_list(engine_counts_are_good, text);
    use_line(text);
    free(text);
    return 0;
}

#ifdef MEZ_FUZZ_REPLAY
static bool replay(const char *path)
{
    char line[4096];
    FILE *file = fopen(path, "r");
    if (!file) {
        perror(path);
        return false;
    }
    while (fgets(line, sizeof line, file))
        LLVMFuzzerTestOneInput((const uint8_t *)line, strcspn(line, "\n"));
    fclose(file);
    return true;
}

int main(int count, char **files)
{
    bool good = count > 1;
    for (int i = 1; i < count; i++)
        good &= replay(files[i]);
    return good ? 0 : 1;
}
#endif
