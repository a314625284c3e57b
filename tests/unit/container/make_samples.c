// SPDX-License-Identifier: MIT
//
// Writes the samples to the files on the command line, each by its name: seeds for fuzzing.

#include <stdio.h>
#include <string.h>

#include "samples.h"

static int write_sample(const char *path)
{
    const char *slash = strrchr(path, '/');
    mez_bytes bytes = make_sample(slash ? slash + 1 : path);
    FILE *file = fopen(path, "wb");
    const bool written = file && fwrite(bytes.data, 1, bytes.size, file) == bytes.size;
    if (!file || fclose(file) != 0 || !written) {
        perror(path);
        return 1;
    }
    mez_bytes_finish(&bytes);
    return 0;
}

int main(int count, char **paths)
{
    int failed = 0;
    for (int i = 1; i < count; i++)
        failed |= write_sample(paths[i]);
    return failed;
}
