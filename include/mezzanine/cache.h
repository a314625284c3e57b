// SPDX-License-Identifier: MIT
//
// The cache of built binaries, which all programs of a user share. A program can see how much the
// cache contains and how often it helped, and can clear it (docs/cache.md).
//
//     mez_cache *cache = NULL;
//     mez_cache_statistics statistics;
//     mez_error err = mez_cache_open(NULL, &cache);
//     if (!mez_failed(err))
//         err = mez_cache_get_statistics(cache, &statistics);
//     mez_cache_close(&cache);
//
// Contexts use the cache on their own; programs need not open it for that.
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

// The cache in one folder, or a cache that is switched off.
typedef struct mez_cache mez_cache;

// Members that are zero have the values of the environment (MEZ_CACHE, MEZ_CACHE_LIMIT), or else
// the defaults.
typedef struct mez_cache_params {
    // An absolute path. The folder is created when the first entry is stored. NULL: from the
    // environment.
    const char *folder;
    // How many bytes all entries may have; the least recently used are removed. 0: from the
    // environment.
    uint64_t limit;
    uint64_t reserved[4]; // must be zero: mezzanine/base.h
} mez_cache_params;

// Opens the cache, without reading or creating any file. `params` may be NULL. *cache is yours, to
// be given to mez_cache_close; NULL after an error. A cache that is switched off can be opened as
// well, and is empty.
//
// MEZ_ERRC_INVALID_PARAMETER: a variable's value is invalid, the folder is not an absolute path,
// `cache` is NULL, or `reserved` is not zero. MEZ_ERRC_OUT_OF_HOST_MEMORY.
MEZ_API MEZ_CHECKED mez_error mez_cache_open(const mez_cache_params *params, mez_cache **cache);

// Closes the cache and sets *cache to NULL; *cache may be NULL. The entries stay. No other thread
// may be using it.
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
    uint64_t evicted;     // to make room
    uint64_t damaged;     // and therefore removed
    uint64_t reserved[8]; // zero: mezzanine/base.h
} mez_cache_statistics;

// Reads the whole folder, which takes time in proportion to the number of entries. A folder that
// does not exist has no entries. A NULL `cache` counts as switched off.
//
// MEZ_ERRC_FILE: the folder exists but can't be read; *statistics then lacks the entries and their
//     bytes.
// MEZ_ERRC_INVALID_PARAMETER: `statistics` is NULL.
MEZ_API MEZ_CHECKED mez_error mez_cache_get_statistics(
    mez_cache *cache, mez_cache_statistics *statistics);

// Can entries be stored? If the folder does not exist, it is created with the first entry, so the
// folder above it counts. Success for a cache that is switched off, and for NULL. No other call
// fails because a cache can't be used: everything is then compiled each time.
//
// MEZ_ERRC_FILE: the folder can't be written to, it belongs to another user, or others may write to
//     it.
// MEZ_ERRC_OUT_OF_HOST_MEMORY.
MEZ_API MEZ_CHECKED mez_error mez_cache_check(const mez_cache *cache);

// Removes all entries and the counts, but no other files. *removed (NULL: not wanted) is the number
// of entries that were removed, also after an error. With a NULL `cache` nothing is removed.
//
// MEZ_ERRC_FILE: an entry can't be removed, or the folder can't be read.
MEZ_API MEZ_CHECKED mez_error mez_cache_clear(mez_cache *cache, uint64_t *removed);

MEZ_END

#endif
