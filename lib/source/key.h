// SPDX-License-Identifier: MIT
//
// The two keys of a compilation in the cache: kept.h.
//
// Thread-safety: safe.

#ifndef MEZ_SOURCE_KEY_H
#define MEZ_SOURCE_KEY_H

#include <time.h>

#include "source/absent.h"
#include "source/source.h"
#include "source/volatile.h"

// A compilation that was made just now.
typedef struct mez_source_run {
    struct timespec begun; // when the compiler was started
    mez_volatile asked;    // what its options and text ask for; that of its files is added
} mez_source_run;

// Of all that is known before a file is read. False: there is none, for want of memory or of a folder that the process is in.
bool mez_source_list_key(const mez_source *source, const mez_compiler *compiler,
    const mez_source_folders *folders, mez_cache_key *key);

// Of the first key and the content of all inputs. False: a file that was read can't be any more, or one that was not there is.
// `run` not NULL: also where a file has changed since it was begun, or where it is volatile with all its files.
bool mez_source_code_key(const mez_cache_key *list_key, const void *list, size_t size,
    mez_source_run *run, mez_cache_key *key);

#endif
