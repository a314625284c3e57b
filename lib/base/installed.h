// SPDX-License-Identifier: MIT
//
// Files that were installed with this library.
//
// Thread-safety: safe.

#ifndef MEZ_BASE_INSTALLED_H
#define MEZ_BASE_INSTALLED_H

#include <stdbool.h>
#include <stddef.h>

// Writes the path of a file, from the folder of this library or of the program that it is part of. False: the folder is not
// known, or `size` is too small. Whether the file is there was not looked at.
bool mez_path_beside(const char *name, char *path, size_t size);

// The same for a file that lies there in a build tree alone: false where this library or program is not in one, which a file beside
// it says that is never installed.
bool mez_path_in_build_tree(const char *name, char *path, size_t size);

#endif
