// SPDX-License-Identifier: MIT
//
// What is wrong with something that the user wrote, in words. Parsers return false and fill one in; only commands print.
//
// This tool is a user of the public API: what begins with mez_ is the library's, its own names carry no prefix.

#ifndef PROBLEM_H
#define PROBLEM_H

#include <stdbool.h>

struct problem {
    char text[512];
};

// Writes the text, cut where it is too long. Returns false, so that a parser can end with `return problem_set(...)`.
__attribute__((format(printf, 2, 3))) bool problem_set(
    struct problem *problem, const char *format, ...);

#endif
