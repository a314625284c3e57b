// SPDX-License-Identifier: MIT
//
// What all of the process has in common: variables that every path reads, and the host's clock, on which waits, traces and times of
// tasks agree.
//
// Thread-safety: safe.

#ifndef MEZ_BASE_PROCESS_H
#define MEZ_BASE_PROCESS_H

#include <stdint.h>
#include <time.h>

// A compiler can't know that an extern variable is the library's own, and would read its address first; one that is declared hidden
// is read where it lies.
#define MEZ_HIDDEN __attribute__((visibility("hidden")))

// Nanoseconds of CLOCK_MONOTONIC.
static inline uint64_t mez_time_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

#endif
