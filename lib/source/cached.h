// SPDX-License-Identifier: MIT
//
// Code that was compiled before, in the cache of built binaries. Two entries belong to a compilation: under what is known before
// anything is read, the list of files that it depended on; under that and their content, the code. So a header that changes to
// and fro finds both of its codes, and a list that another process has just replaced leads to right code or to none.
//
// Thread-safety: none for the same object.

#ifndef MEZ_SOURCE_CACHED_H
#define MEZ_SOURCE_CACHED_H

#include <time.h>

#include "source/inputs.h"
#include "source/source.h"
#include "source/volatile.h"

// A compilation that was made just now.
typedef struct mez_source_run {
    struct timespec begun; // when the compiler was started
    mez_volatile asked;    // what its options and text ask for; that of its files is added
} mez_source_run;

typedef struct mez_source_cached {
    mez_cache *cache; // NULL: nothing is cached
    mez_source_folders folders;
    mez_cache_key list_key;
    mez_source_run run; // of the compiler
} mez_source_cached;

// To be finished in any case. MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_source_cached_init(mez_cache *cache, const mez_source *source,
    const mez_compiler *compiler, mez_source_cached *cached);
void mez_source_cached_finish(mez_source_cached *cached);

// False: there is none that holds for the files as they are now.
bool mez_source_cached_find(const mez_source_cached *cached, mez_source_code *code);

// The compiler is about to be started, and what it has made. That is not stored where a file has changed meanwhile, or where it
// depends on more than files: the time, or whether a file is there.
void mez_source_cached_begin(mez_source_cached *cached);
void mez_source_cached_put(
    mez_source_cached *cached, const mez_source *source, const mez_compiled *compiled);

#endif
