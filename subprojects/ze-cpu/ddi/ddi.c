// SPDX-License-Identifier: MIT
//
// Fills the loader's entry point tables.
#include "ddi.h"

#include <stdlib.h>
#include <string.h>

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

static int compare_name(const void *name, const void *entry)
{
    return strcmp(name, ((const struct zc_named_entry *)entry)->name);
}

zc_entry_fn zc_find_entry(const char *name)
{
    const struct zc_named_entry *found = bsearch(
        name, zc_named_entries, zc_named_entry_count, sizeof *zc_named_entries, compare_name);
    return found ? found->function : NULL;
}
