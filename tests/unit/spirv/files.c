// SPDX-License-Identifier: MIT
//
// Reading test files whole.

#include "files.h"

#include <stdio.h>
#include <stdlib.h>

void *read_whole_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    long length = -1;
    if (file && fseek(file, 0, SEEK_END) == 0)
        length = ftell(file);

    char *bytes = length >= 0 ? malloc((size_t)length + 1) : NULL;
    if (bytes)
        rewind(file);
    if (!bytes || fread(bytes, 1, (size_t)length, file) != (size_t)length) {
        perror(path);
        exit(1);
    }
    fclose(file);
    *size = (size_t)length;
    return bytes;
}
