// SPDX-License-Identifier: MIT
//
// Fuzz target of the SPIR-V reader: whatever the bytes, it says what is wrong or gives a module
// that can be asked everything. Linked with replay.c instead of libFuzzer
// it replays the files it is given.

#include <stdint.h>
#include <stdlib.h>

#include "use_all.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    use_all(bytes, size);
    return 0;
}
