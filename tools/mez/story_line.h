// SPDX-License-Identifier: MIT
//
// An error's story in one line.

#ifndef STORY_LINE_H
#define STORY_LINE_H

#include <stddef.h>

// The headline, and behind it the last "because:", which is the root of the failure.
void story_line(const char *story, char *line, size_t size);

#endif
