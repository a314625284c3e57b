// SPDX-License-Identifier: MIT
//
// The folder of the entries. Only files that bear our names are ever looked at or removed.
//
// Thread-safety: safe, with other processes too.

#ifndef MEZ_CACHE_FOLDER_H
#define MEZ_CACHE_FOLDER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "cache/entry.h"

// --- Files
//
// Those that do not bear our names are ignored; one may be gone when it is visited.

typedef enum mez_cache_file_kind {
    MEZ_CACHE_FILE_FOREIGN, // never visited
    MEZ_CACHE_FILE_ENTRY,
    MEZ_CACHE_FILE_UNFINISHED, // an entry that is being written
    MEZ_CACHE_FILE_COUNTS,
} mez_cache_file_kind;

// What an unfinished file's name begins with.
#define MEZ_CACHE_UNFINISHED ".new-"

// The file of the counts.
#define MEZ_CACHE_COUNTS_NAME "counts"

// False, with errno, ends the walk.
typedef bool mez_cache_visit(void *user, int folder, mez_cache_file_kind kind, const char *name);

// False: errno says why not all were visited.
bool mez_cache_walk(int folder, mez_cache_visit *visit, void *user);

// --- The folder

// Opens the folder; a descriptor to be closed, or -1 and errno. Where it is missing and `create` is set it is made, with its
// parents, for nobody but the user. EPERM: it is another user's, or others may write to it, who could put anything there.
int mez_cache_open_folder(const char *path, bool create);

// Can entries be stored in the folder, which may have to be made first? MEZ_ERRC_FILE: why not. MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_cache_check_folder(const char *path);

typedef struct mez_cache_usage {
    uint64_t entries, bytes;
} mez_cache_usage;

// Counts the entries. False: errno says why it can't be read.
bool mez_cache_count_entries(int folder, mez_cache_usage *usage);

// The same, and removes what killed writers left an hour ago.
bool mez_cache_measure(int folder, mez_cache_usage *usage);

// Stores an entry: writes it aside, then gives it its name. False: errno says why not; nothing is left of it.
bool mez_cache_store(int folder, const mez_cache_key *key, const void *bytes, size_t size);

// Removes the least recently used entries until the others take nine tenths of the limit, if they take more than the limit; never
// the entry of `kept`. Leaves it to another process that is at it. Returns how many were removed.
uint64_t mez_cache_evict(int folder, uint64_t limit, const mez_cache_key *kept);

// Removes everything of ours but what is being written. False: errno says why something is left. *removed counts the entries.
bool mez_cache_empty(int folder, uint64_t *removed);

// --- Counts
//
// What happened to the entries, counted by all processes in one small file of the folder. Counts are for people: where they can't
// be written now, they are kept for the next time, and a damaged file begins again.

typedef enum mez_cache_count {
    MEZ_CACHE_HITS,
    MEZ_CACHE_MISSES,
    MEZ_CACHE_STORED,
    MEZ_CACHE_EVICTED,
    MEZ_CACHE_DAMAGES,
    MEZ_CACHE_COUNTS
} mez_cache_count;

// Those of this process that are not in the file yet; zeroed memory is none.
typedef struct mez_cache_counts {
    atomic_uint_fast64_t waiting[MEZ_CACHE_COUNTS];
} mez_cache_counts;

static inline void mez_cache_add(mez_cache_counts *counts, mez_cache_count which, uint64_t number)
{
    atomic_fetch_add_explicit(&counts->waiting[which], number, memory_order_relaxed);
}

// Adds what waits to the file, unless another process is at it.
void mez_cache_write_counts(mez_cache_counts *counts, int folder);

// Is there a file of counts, and not one of somebody else's that has its name?
bool mez_cache_has_counts(int folder);

// All there are: the file's and those that wait. A `folder` of -1 has none.
void mez_cache_read_counts(
    const mez_cache_counts *counts, int folder, uint64_t totals[MEZ_CACHE_COUNTS]);

#endif
