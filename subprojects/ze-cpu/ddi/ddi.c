// SPDX-License-Identifier: MIT
//
// Fills the loader's entry point tables.
#include "ddi.h"

enum {
    RESULT_SUCCESS = 0,
    RESULT_UNSUPPORTED_VERSION = 0x78000002,
    RESULT_UNSUPPORTED_FEATURE = 0x78000003,
    RESULT_INVALID_NULL_POINTER = 0x78000007,
};

static int32_t unsupported(void)
{
    return RESULT_UNSUPPORTED_FEATURE;
}

int32_t zc_fill_table(
    uint32_t version, const struct zc_entry *entries, size_t count, zc_entry_fn *table)
{
    if (!table)
        return RESULT_INVALID_NULL_POINTER;
    if (version >> 16 != 1)
        return RESULT_UNSUPPORTED_VERSION;
    for (size_t i = 0; i < count; i++)
        if (entries[i].since <= version)
            table[i] = entries[i].function ? entries[i].function : unsupported;
    return RESULT_SUCCESS;
}
