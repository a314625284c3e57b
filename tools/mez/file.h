// SPDX-License-Identifier: MIT
//
// Whole files in and out.

#ifndef FILE_H
#define FILE_H

#include <stddef.h>

#include "problem.h"

// False where the file has more or fewer bytes than `size`, or can't be read.
bool file_read_exactly(const char *path, void *bytes, size_t size, struct problem *problem);

// False: it can't be written, and nothing is left of it.
bool file_write(const char *path, const void *bytes, size_t size, struct problem *problem);

#endif
