// SPDX-License-Identifier: MIT
//
// Fuzz target of lists of inputs: whatever the bytes, they are either refused or a list that can be read to its end and written
// again. Linked with replay.c instead of libFuzzer it replays the files it is given.

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "source/inputs.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    mez_bytes again = {0};
    mez_source_input input;
    uint8_t *copy =
        malloc(size + !size); // exactly as long, so that a sanitizer sees each step too far
    require(copy != NULL);
    if (size > 0)
        memcpy(copy, bytes, size);
    if (mez_source_inputs_are_whole(copy, size)) {
        for (size_t offset = 0; mez_source_inputs_next(copy, size, &offset, &input);)
            mez_source_inputs_add(&again, input.kind, input.path);
        require(again.size == size);
        require(size == 0 || memcmp(again.data, copy, size) == 0);
    }
    mez_bytes_finish(&again);
    free(copy);
    return 0;
}
