// SPDX-License-Identifier: MIT

#include "compiler_options.h"

#include <stdlib.h>
#include <string.h>

bool compiler_options_init(struct compiler_options *options, int count)
{
    *options = (struct compiler_options){.words = calloc((size_t)count + 1, sizeof(char *))};
    return options->words != NULL;
}

void compiler_options_finish(struct compiler_options *options)
{
    free(options->words);
    *options = (struct compiler_options){0};
}

void compiler_options_add(struct compiler_options *options, const char *word)
{
    options->words[options->count++] = word;
}

bool compiler_option_takes_next(const char *word)
{
    // Those of lib/compile/command.c, which parsers are not linked with, except for --param: it looks like one of ours.
    static const char *const options[] = {"-D", "-U", "-I", "-include", "-imacros", "-isystem",
        "-idirafter", "-iquote", "-iprefix", "-iwithprefix", "-iwithprefixbefore", "-isysroot",
        "-Xclang", "-Xpreprocessor", "-mllvm"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (strcmp(word, options[i]) == 0)
            return true;
    return false;
}

// Each character is meant as it stands.
static char *add_word(char *end, const char *word)
{
    for (; *word; word++) {
        if (strchr(" \t\n\r\v\f'\"\\", *word))
            *end++ = '\\';
        *end++ = *word;
    }
    return end;
}

char *compiler_options_join(const struct compiler_options *options)
{
    size_t room = 1;
    for (size_t i = 0; i < options->count; i++)
        room += 2 * strlen(options->words[i]) + 1;
    char *text = malloc(room), *end = text;
    if (!text)
        return NULL;
    for (size_t i = 0; i < options->count; i++) {
        end = add_word(end, options->words[i]);
        *end++ = ' ';
    }
    *end = '\0';
    return text;
}

bool compiler_options_fit(
    const struct compiler_options *options, const char *file, struct problem *problem)
{
    const size_t length = strlen(file);
    const bool may_be_source = strcmp(file, "-") == 0; // nothing of it has been read yet
    if (options->count == 0 || may_be_source ||
        (length >= 3 && strcmp(file + length - 3, ".cl") == 0))
        return true;
    return problem_set(problem, "option %.80s is for OpenCL C sources, but %.200s is not one",
        options->words[0], file);
}
