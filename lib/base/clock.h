// SPDX-License-Identifier: MIT
//
// The host's clock, on which waits, traces and times of tasks agree.
//
// Thread-safety: safe.

#ifndef MEZ_BASE_CLOCK_H
#define MEZ_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

// Nanoseconds of CLOCK_MONOTONIC.
static inline uint64_t mez_time_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

#endif
