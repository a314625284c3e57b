// SPDX-License-Identifier: MIT
//
// An error's story in one line.

#ifndef STORY_LINE_H
#define STORY_LINE_H

#include <stddef.h>

// The headline, behind it the last "because:", which is the root of the failure, and in brackets the first line whose label
// begins with `detail` (NULL: none).
void story_line(const char *story, const char *detail, char *line, size_t size);

#endif
