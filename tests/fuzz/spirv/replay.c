// SPDX-License-Identifier: MIT
//
// In libFuzzer's place: gives a target the files on the command line.

#include <stdint.h>
#include <stdlib.h>

#include "files.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int main(int count, char **paths)
{
    for (int i = 1; i < count; i++) {
        size_t size;
        uint8_t *bytes = read_whole_file(paths[i], &size);
        LLVMFuzzerTestOneInput(bytes, size);
        free(bytes);
    }
    return 0;
}
