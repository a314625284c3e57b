// SPDX-License-Identifier: MIT
//
// Fuzz target of the macros that ask for more than files: whatever the bytes, they are read to their end and no further, and a name
// behind them is found. Linked with replay.c instead of libFuzzer it replays the files it is given.

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
    static const char name[] = " __TIME__";
    mez_volatile seen = {0};
    char *copy = malloc(
        size + sizeof name - 1); // exactly as long, so that a sanitizer sees each step too far
    require(copy != NULL);
    if (size > 0)
        memcpy(copy, bytes, size);
    memcpy(copy + size, name, sizeof name - 1);
    mez_volatile_look(&seen, copy, size);
    mez_volatile_look(&seen, copy, size + sizeof name - 1);
    require(mez_volatile_is(&seen));
    free(copy);
    return 0;
}
