// SPDX-License-Identifier: MIT
// What the two halves of the no-op driver share: libze_noop.so holds nothing but the table getters,
// libnoop.so the rest.
#ifndef NOOP_TABLE_H
#define NOOP_TABLE_H

#include <level_zero/ze_api.h>

#define NOOP_EXPORT __attribute__((visibility("default")))

// Writes those entries of the table that exist in API `version`: the caller's table ends there.
NOOP_EXPORT ze_result_t noop_fill_table(const char *getter, ze_api_version_t version, void **table);

#define NOOP_GETTER(name)                                                 \
    NOOP_EXPORT ze_result_t name(ze_api_version_t version, void **table); \
    ze_result_t name(ze_api_version_t version, void **table)              \
    {                                                                     \
        return noop_fill_table(#name, version, table);                    \
    }

#endif
