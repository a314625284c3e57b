// SPDX-License-Identifier: MIT
//
// The cache of built binaries, which all programs of a user share, looked at from outside: how much
// is in it, how often it helped, and clearing it (docs/cache.md).
//
//     mez_cache *cache = NULL;
//     mez_cache_statistics statistics;
//     mez_error err = mez_cache_open(NULL, &cache);
//     if (!mez_failed(err))
//         err = mez_cache_get_statistics(cache, &statistics);
//     mez_cache_close(&cache);
//
// Contexts use the cache by themselves: no program has to open it for them.
//
// Part of libmezzanine-image (docs/toolchain.md), and of libmezzanine.
//
// Thread-safety: safe, for any number of threads and processes at the same time, except for
// closing.

#ifndef MEZZANINE_CACHE_H
#define MEZZANINE_CACHE_H

#include <mezzanine/base.h>
#include <mezzanine/error.h>

MEZ_BEGIN

// A folder of binaries, or none where the cache is switched off.
typedef struct mez_cache mez_cache;

// Zero: what the environment says (MEZ_CACHE, MEZ_CACHE_LIMIT), else the defaults.
typedef struct mez_cache_params {
    // An absolute path, created when the first entry is stored; NULL: of the environment.
    const char *folder;
    // Bytes that the entries may take; the least recently used give way; 0: of the environment.
    uint64_t limit;
    uint64_t reserved[4]; // must be zero: mezzanine/base.h
} mez_cache_params;

// Reads and creates nothing yet. `params` may be NULL. *cache is yours, to be given to
// mez_cache_close; NULL after an error. A cache that is switched off opens, too: it has nothing.
//
// MEZ_ERRC_INVALID_PARAMETER: a variable's value is invalid, the folder is not an absolute path,
// `cache` is NULL, or `reserved` is not zero. MEZ_ERRC_OUT_OF_HOST_MEMORY.
MEZ_API MEZ_CHECKED mez_error mez_cache_open(const mez_cache_params *params, mez_cache **cache);

// Entries stay. Sets *cache to NULL; NULL inside is fine. Nobody may be using it.
MEZ_API void mez_cache_close(mez_cache **cache);

typedef struct mez_cache_statistics {
    const char *folder; // lives as long as the cache; "": off
    const char *off;    // why it is switched off; static; NULL: it is on
    uint64_t limit;     // bytes
    uint64_t entries;
    uint64_t bytes; // of all entries

    // Counted by all processes since the folder was last cleared.
    uint64_t hits;
    uint64_t misses;
    uint64_t stored;
    uint64_t evicted;     // for lack of room
    uint64_t damaged;     // and removed
    uint64_t reserved[8]; // zero: mezzanine/base.h
} mez_cache_statistics;

// Looks through the folder, which takes time in proportion to its entries. A folder that does not
// exist has no entries; so has `cache` where it is NULL, which counts as switched off.
//
// MEZ_ERRC_FILE: the folder is there and can't be read, and *statistics has all but the entries.
// MEZ_ERRC_INVALID_PARAMETER: `statistics` is NULL.
MEZ_API MEZ_CHECKED mez_error mez_cache_get_statistics(
    mez_cache *cache, mez_cache_statistics *statistics);

// Removes all entries and the counts, and no other files. *removed (NULL: not wanted) is the number
// of entries that were removed, also after an error. There is nothing to remove from NULL.
//
// MEZ_ERRC_FILE: an entry can't be removed, or the folder can't be read.
MEZ_API MEZ_CHECKED mez_error mez_cache_clear(mez_cache *cache, uint64_t *removed);

MEZ_END

#endif
