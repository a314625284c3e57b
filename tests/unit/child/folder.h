// SPDX-License-Identifier: MIT
//
// A folder for each test, which TMPDIR names meanwhile, and programs in it.

#ifndef MEZ_TEST_CHILD_FOLDER_H
#define MEZ_TEST_CHILD_FOLDER_H

#include "unit.h"

// cmocka's setup and teardown; *state is the folder's path.
int make_folder(void **state);
int remove_folder(void **state);

// Files and folders in it.
unsigned count_files(const char *folder);

// Writes a shell script and returns its path, yours to free().
char *make_program(const char *folder, const char *script);

#endif
