// SPDX-License-Identifier: MIT
//
// Long sentences on a terminal.

#ifndef WRAP_H
#define WRAP_H

#include <stdio.h>

// Prints the words in lines of at most `width` columns where they can be broken at spaces, indented by `indent`, further lines by
// two more.
void print_wrapped(FILE *stream, int indent, int width, const char *text);

#endif
