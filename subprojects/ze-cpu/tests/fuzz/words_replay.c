// SPDX-License-Identifier: MIT
//
// In libFuzzer's place: gives the target the files on the command line, each also cut short in some
// places and with some bits changed, and a module that is longest where it can be.

#include "rewriting.h"

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

// A decoration of as many words as an instruction may have, which a member takes from its group and would be one longer.
static void replay_longest(void)
{
    enum { LONGEST = 0xffff, GROUP = 5, TYPE = 7 };
    static uint32_t words[ZC_SPIRV_HEADER_WORDS + LONGEST + 4] = {0x07230203, 0x10000, 0, 100};
    uint32_t *decoration = words + ZC_SPIRV_HEADER_WORDS, *member = decoration + LONGEST;
    decoration[0] = (uint32_t)LONGEST << 16 | ZC_OP_DECORATE;
    decoration[1] = GROUP;
    member[0] = 4u << 16 | ZC_OP_GROUP_MEMBER_DECORATE;
    member[1] = GROUP;
    member[2] = TYPE;
    LLVMFuzzerTestOneInput((const uint8_t *)words, sizeof(words));
}

int main(int count, char **paths)
{
    int result = 0;
    replay_longest();
    for (int i = 1; i < count; i++)
        result |= replay(paths[i]);
    return result;
}
