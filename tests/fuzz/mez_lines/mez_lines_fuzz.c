// SPDX-License-Identifier: MIT
//
// Fuzz target of the command lines of mez: words with spaces between them are read as those of each command. Whatever they are, they are
// refused with words, or make a request. Built with -fsanitize=fuzzer this is a libFuzzer target; built plainly it takes each line of the
// files it is given.

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build_request.h"
#include "check_request.h"
#include "request.h"
#include "split_request.h"

enum { MOST_WORDS = 64 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

typedef struct words {
    char *text; // the words point into it
    char *items[MOST_WORDS];
    int count;
} words;

// Readers may keep pointers into the text, and none may change it: each gets its own.
static bool split(const uint8_t *bytes, size_t size, words *words)
{
    char *rest = NULL;
    *words = (struct words){.text = strndup((const char *)bytes, size)};
    if (!words->text)
        return false;
    for (char *word = strtok_r(words->text, " ", &rest); word && words->count < MOST_WORDS;
         word = strtok_r(NULL, " ", &rest))
        words->items[words->count++] = word;
    return true;
}

static void check(bool read, const struct problem *problem, const char *command)
{
    if (read || problem->text[0])
        return;
    fprintf(stderr, "mez %s: refused without a message\n", command);
    abort();
}

static void read_run(const words *words)
{
    struct run_request request;
    struct problem problem = {""};
    if (!run_request_init(&request, words->count))
        return;
    check(run_request_read(&request, words->count, words->items, &problem), &problem, "run");
    run_request_finish(&request);
}

static void read_check(const words *words)
{
    struct check_request request;
    struct problem problem = {""};
    check(check_request_read(&request, words->count, words->items, &problem), &problem, "check");
    check_request_finish(&request);
}

static void read_split(const words *words)
{
    struct split_request request;
    struct problem problem = {""};
    check(split_request_read(&request, words->count, words->items, &problem), &problem, "split");
    split_request_finish(&request);
}

static void read_build(const words *words)
{
    struct build_request request;
    struct problem problem = {""};
    check(build_request_read(&request, words->count, words->items, &problem), &problem, "build");
    build_request_finish(&request);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static void (*const readers[])(const words *words) = {
        read_run, read_check, read_split, read_build};
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++) {
        words words;
        if (!split(bytes, size, &words))
            return 0;
        readers[i](&words);
        free(words.text);
    }
    return 0;
}

#ifdef MEZ_FUZZ_REPLAY
static bool replay(const char *path)
{
    char *line = NULL;
    size_t room = 0;
    FILE *file = fopen(path, "r");
    if (!file) {
        perror(path);
        return false;
    }
    for (ssize_t length; (length = getline(&line, &room, file)) >= 0;)
        LLVMFuzzerTestOneInput((const uint8_t *)line, strcspn(line, "\n"));
    free(line);
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
