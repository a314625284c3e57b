// SPDX-License-Identifier: MIT
//
// Code that was compiled before, in the cache of built binaries. Two entries belong to a compilation: under what is known before
// anything is read, the list of files that it depended on; under that and their content, the code. So a header that changes to
// and fro finds both of its codes, and a list that another process has just replaced leads to right code or to none.
//
// Thread-safety: none for the same object.

#ifndef MEZ_SOURCE_KEPT_H
#define MEZ_SOURCE_KEPT_H

#include "source/absent.h"
#include "source/key.h"
#include "source/source.h"

typedef struct mez_source_kept {
    mez_cache *cache; // NULL: nothing is kept
    mez_source_folders folders;
    mez_cache_key list_key;
    mez_source_run run; // of the compiler
} mez_source_kept;

// To be finished in any case. MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_source_kept_init(mez_cache *cache, const mez_source *source,
    const mez_compiler *compiler, mez_source_kept *kept);
void mez_source_kept_finish(mez_source_kept *kept);

// False: there is none that holds for the files as they are now.
bool mez_source_kept_find(const mez_source_kept *kept, mez_source_code *code);

// The compiler is about to be started, and what it has made. That is not kept where a file has changed meanwhile, or where it
// depends on more than files: the time, or whether a file is there.
void mez_source_kept_begin(mez_source_kept *kept);
void mez_source_kept_put(
    mez_source_kept *kept, const mez_source *source, const mez_compiled *compiled);

#endif
