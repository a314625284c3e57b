// SPDX-License-Identifier: MIT
//
// Files and folders of a test. What fails is reported on stderr.

#ifndef MEZ_TESTS_ORACLE_FOLDER_H
#define MEZ_TESTS_ORACLE_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

// The whole file with a NUL behind it, to be freed; NULL: it can't be read.
char *read_text(const char *path);

bool write_bytes(const char *path, const void *bytes, size_t size);

// Visits the files of a folder, not those of folders in it, until `visit` returns false.
bool each_file(const char *folder, bool (*visit)(const char *path, void *context), void *context);

// Removes it with all files in it.
void remove_folder(const char *folder);

#endif
