// SPDX-License-Identifier: MIT
//
// Files that have several names: what is written must not take the place of what is read.

#ifndef SAME_FILE_H
#define SAME_FILE_H

#include <stdbool.h>

// Are both one regular file, through any names and links, or the same name of a file that does not exist yet?
bool same_file(const char *one, const char *other);

#endif
