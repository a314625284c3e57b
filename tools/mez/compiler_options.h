// SPDX-License-Identifier: MIT
//
// Options of the compiler of OpenCL C among those of a command that takes sources: -DNAME=VALUE, -Ifolder, -O3, -g, -cl-...

#ifndef COMPILER_OPTIONS_H
#define COMPILER_OPTIONS_H

#include <stddef.h>

#include "problem.h"

// The words are the command line's own.
struct compiler_options {
    const char **words; // room for every argument
    size_t count;
};

// False: no memory for as many words.
bool compiler_options_init(struct compiler_options *options, int count);
void compiler_options_finish(struct compiler_options *options);

void compiler_options_add(struct compiler_options *options, const char *word);

// Has the option its value in the next word?
bool compiler_option_takes_next(const char *word);

// One text that mez_image_params.compile_options takes apart again; yours to free(). NULL: no memory.
char *compiler_options_join(const struct compiler_options *options);

// False, with a problem: there are some, but the file is not a source that they could apply to.
bool compiler_options_fit(
    const struct compiler_options *options, const char *file, struct problem *problem);

#endif
