// SPDX-License-Identifier: MIT
//
// What drivers' compilers made, kept on disk by lib/cache: it is searched before a compiler runs, and gets what that made.
//
// Thread-safety: safe.

#ifndef MEZ_IMAGE_CACHED_H
#define MEZ_IMAGE_CACHED_H

#include "cache/cache.h"
#include "image/compile.h"

typedef struct mez_cached {
    mez_cache_key key;
    bool is_on; // false: it is neither looked for nor kept
} mez_cached;

// What the codes are found by. It is off for native and fleeting code, under a debugger, which wants what the compiler makes for
// it, without a cache, and without memory.
mez_cached mez_cached_key(const mez_device *device, const mez_code *codes, uint32_t count);

// True: *module was made of what the cache had. What the driver refuses, or has not all kernels that are wanted (NULL: none), is
// removed from it.
bool mez_cached_find(const mez_device *device, const mez_cached *cached,
    const mez_wanted_kernels *wanted, ze_module_handle_t *module);

// An entry that is an answer of one byte, and no module. False: it is not known.
bool mez_cached_answer(const mez_device *device, const mez_cached *cached, uint8_t *answer);

// For a module that has what is wanted of it.
void mez_cached_keep(const mez_device *device, const mez_cached *cached, ze_module_handle_t module);

#endif
