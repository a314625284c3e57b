// SPDX-License-Identifier: MIT
//
// Reading test files whole.

#ifndef MEZ_TESTS_SPIRV_FILES_H
#define MEZ_TESTS_SPIRV_FILES_H

#include <stddef.h>

// The file's bytes, to be freed; exits the test program with a message where it can't be read.
void *read_whole_file(const char *path, size_t *size);

#endif
