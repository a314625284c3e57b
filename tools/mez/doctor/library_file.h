// SPDX-License-Identifier: MIT
//
// Files of shared libraries.

#ifndef DOCTOR_LIBRARY_FILE_H
#define DOCTOR_LIBRARY_FILE_H

#include <limits.h>
#include <stddef.h>

// Opens the library, in a process that may crash of it, and returns which file that is, with links followed. NULL: `error` is the
// dynamic linker's reason. To be given to dlclose.
void *open_library(const char *name, char path[PATH_MAX], char *error, size_t error_size);

// What stands behind ".so." in a file's name: "1.8.0"; "": nothing does.
const char *library_version(const char *path);

#endif
