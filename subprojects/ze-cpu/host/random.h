// SPDX-License-Identifier: MIT
//
// A small generator of random numbers (splitmix64): the same seed gives the same numbers everywhere.
#ifndef ZE_CPU_RANDOM_H
#define ZE_CPU_RANDOM_H

#include <stdint.h>

static inline uint64_t zc_random_next(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

// From 0 to count - 1.
static inline uint32_t zc_random_below(uint64_t *state, uint32_t count)
{
    return (uint32_t)((zc_random_next(state) >> 32) * count >> 32);
}

#endif
