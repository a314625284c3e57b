// SPDX-License-Identifier: MIT
//
// The persistent cache of built binaries, in a folder that all programs of a user share. It knows nothing of devices: what a
// binary depends on is the caller's to say, as parts of its key.
//
//     const mez_cache_part parts[] = {{code, code_size}, {flags, flags_size}, {identity, identity_size}};
//     const mez_cache_key key = mez_cache_key_of(parts, 3);
//     if (!mez_cache_get(cache, &key, &binary, &size)) {
//         ... build ...
//         mez_cache_put(cache, &key, binary, size);
//     }
//
// A cache is a help and never a reason to fail: a folder that can't be read or written, a full disk and damaged entries make a
// miss, and the log says so once. docs/cache.md is the page for users.
//
// Thread-safety: safe, for any number of threads and processes at the same time. An entry is written under another name, is
// renamed when it is complete, and counts only if its checksum is right; where two store under one key, one of the two stays.

#ifndef MEZ_CACHE_CACHE_H
#define MEZ_CACHE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <mezzanine/cache.h>

#include "base/error.h"

#define MEZ_CACHE_DEFAULT_LIMIT (UINT64_C(1) << 30) // bytes

// Is it switched on? NULL is not. Whoever prepares much to ask it may ask this first.
bool mez_cache_is_on(const mez_cache *cache);

// --- Keys

// Something that the binary depends on: code, flags, values of constants, identities of device, driver and compiler ...
typedef struct mez_cache_part {
    const void *bytes; // may be NULL where size is 0
    size_t size;
} mez_cache_part;

typedef struct mez_cache_key {
    uint8_t digest[32];
} mez_cache_key;

// SHA-256 over the parts and their sizes: ("ab", "c") is not ("a", "bc").
mez_cache_key mez_cache_key_of(const mez_cache_part *parts, size_t count);

// --- Entries. A NULL cache is one that is switched off.

// True: *bytes are the binary, to be freed with mez_free_memory. False: there is none, or it was damaged and is removed.
bool mez_cache_get(mez_cache *cache, const mez_cache_key *key, void **bytes, size_t *size);

// Stores a binary, and lets others give way if it needs the room; an entry of that key is replaced. One larger than the limit is
// not stored. False: it is not stored.
bool mez_cache_put(mez_cache *cache, const mez_cache_key *key, const void *bytes, size_t size);

// The driver does not take what mez_cache_get gave, so it is removed and counted as damaged.
void mez_cache_reject(mez_cache *cache, const mez_cache_key *key);

// --- What the environment says of the cache: docs/environment.md

typedef struct mez_cache_settings {
    char *folder;    // absolute; to be freed; NULL: off
    const char *off; // why; static; NULL: it is on
    uint64_t limit;
} mez_cache_settings;

// Errors: as mez_cache_open; then there is nothing to free.
mez_error mez_cache_read_settings(const mez_cache_params *params, mez_cache_settings *settings);

#endif
