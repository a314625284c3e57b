// SPDX-License-Identifier: MIT
//
// Counts the allocations of this thread, whoever makes them: callgrind's own counts of calls go on where it does not collect.

#ifndef MEZ_PERF_ALLOCATIONS_H
#define MEZ_PERF_ALLOCATIONS_H

#include <stdint.h>

// Calls of malloc and its relatives so far.
uint64_t perf_allocations(void);

// Counts so many more, which another thread has made for this one.
void perf_add_allocations(uint64_t count);

#endif
