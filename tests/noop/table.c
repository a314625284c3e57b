// SPDX-License-Identifier: MIT
// Fills the loader's function tables.
#include "internal.h"

ze_result_t noop_fill_table(const char *getter, ze_api_version_t version, void **table)
{
    if (table == NULL)
        return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    if (ZE_MAJOR_VERSION(version) != 1)
        return ZE_RESULT_ERROR_UNSUPPORTED_VERSION;

    for (int i = 0; i < NOOP_ENTRY_COUNT; i++) {
        const struct noop_slot *slot = &noop_slots[i];
        if (slot->since <= (uint32_t)version && strcmp(slot->getter, getter) == 0)
            memcpy(&table[slot->index], &slot->address, sizeof slot->address);
    }
    return ZE_RESULT_SUCCESS;
}
