// SPDX-License-Identifier: MIT
//
// Random numbers that a seed brings again: SplitMix64.

#ifndef MEZ_TEST_RANDOM_H
#define MEZ_TEST_RANDOM_H

#include <stdint.h>

static inline uint32_t mez_test_random_below(uint64_t *state, uint32_t bound)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ (z >> 31)) % bound);
}

#endif
