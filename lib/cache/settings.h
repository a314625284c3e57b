// SPDX-License-Identifier: MIT
//
// What the environment says of the cache: docs/environment.md.

#ifndef MEZ_CACHE_SETTINGS_H
#define MEZ_CACHE_SETTINGS_H

#include "cache/cache.h"

typedef struct mez_cache_settings {
    char *folder;    // absolute; to be freed; NULL: off
    const char *off; // why; static; NULL: it is on
    uint64_t limit;
} mez_cache_settings;

// Errors: as mez_cache_open; then there is nothing to free.
mez_error mez_cache_read_settings(const mez_cache_params *params, mez_cache_settings *settings);

#endif
