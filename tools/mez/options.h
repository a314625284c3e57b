// SPDX-License-Identifier: MIT
//
// The options of a command: a table, and what reads a command line by it.

#ifndef OPTIONS_H
#define OPTIONS_H

#include "problem.h"

// Takes an option's value (NULL for an option without one) or a positional argument into the command's request.
typedef bool (*take_function)(void *request, const char *text, struct problem *problem);

// Defines one that only sets a member of a struct `request`: to `text`, or where the option has no value to a constant.
#define TAKE_MEMBER(function, request, member, value)                             \
    static bool function(void *target, const char *text, struct problem *problem) \
    {                                                                             \
        (void)text, (void)problem;                                                \
        ((struct request *)target)->member = value;                               \
        return true;                                                              \
    }

struct option {
    const char *name;       // "--global"
    const char *value_name; // "N[,M[,K]]"; NULL: the option has no value
    take_function take;
};

struct command_line {
    const struct option *options;  // ends with a NULL name
    take_function take_positional; // NULL: the command has none
    // Takes each word of other options with one hyphen, which are for the compiler of sources. NULL: there are none.
    take_function take_compiler_option;
};

// Reads `count` arguments in order. An option's value stands behind it or after `=`; behind `--` all are positional.
bool command_line_read(const struct command_line *line, int count, char *const *arguments,
    void *request, struct problem *problem);

// Does --help or -h stand before any `--`?
bool command_line_wants_help(int count, char *const *arguments);

#endif
