// SPDX-License-Identifier: MIT
//
// What happened to the entries, counted by all processes in one small file of the folder. Counts are for people: where they can't
// be written now, they are kept for the next time, and a damaged file begins again.
//
// Thread-safety: safe, with other processes too.

#ifndef MEZ_CACHE_COUNTS_H
#define MEZ_CACHE_COUNTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

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
