// SPDX-License-Identifier: MIT
//
// In libFuzzer's place: gives the target the files on the command line, each also cut short in some
// places and with some bits changed.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

#define MAX_SIZE (1 << 20)
#define CHANGES 2000

static int replay(const char *path)
{
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = malloc(MAX_SIZE);
    if (file == NULL || bytes == NULL)
        return 1;
    const size_t size = fread(bytes, 1, MAX_SIZE, file);
    fclose(file);
    LLVMFuzzerTestOneInput(bytes, size);
    for (size_t i = 0; i < CHANGES && size > 0; i++) {
        const size_t at = i * 7919 % size;
        bytes[at] ^= (uint8_t)(1u << i % 8);
        LLVMFuzzerTestOneInput(bytes, i % 4 == 0 ? at / 4 * 4 : size);
        bytes[at] ^= (uint8_t)(1u << i % 8);
    }
    free(bytes);
    return 0;
}

int main(int count, char **paths)
{
    int result = 0;
    for (int i = 1; i < count; i++)
        result |= replay(paths[i]);
    return result;
}
