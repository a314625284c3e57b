// SPDX-License-Identifier: MIT
//
// Sets of the tasks of a graph, by their numbers.

#ifndef MEZ_TESTS_STRESS_SET_H
#define MEZ_TESTS_STRESS_SET_H

#include <stdbool.h>
#include <stdint.h>

enum { STRESS_MOST_TASKS = 128, STRESS_SET_WORDS = STRESS_MOST_TASKS / 64 };

typedef struct stress_set {
    uint64_t words[STRESS_SET_WORDS];
} stress_set;

static inline bool stress_set_has(const stress_set *set, uint32_t member)
{
    return set->words[member / 64] >> member % 64 & 1;
}

static inline void stress_set_add(stress_set *set, uint32_t member)
{
    set->words[member / 64] |= UINT64_C(1) << member % 64;
}

static inline void stress_set_remove(stress_set *set, uint32_t member)
{
    set->words[member / 64] &= ~(UINT64_C(1) << member % 64);
}

static inline void stress_set_unite(stress_set *set, const stress_set *more)
{
    for (uint32_t i = 0; i < STRESS_SET_WORDS; i++)
        set->words[i] |= more->words[i];
}

static inline bool stress_set_is_empty(const stress_set *set)
{
    uint64_t all = 0;
    for (uint32_t i = 0; i < STRESS_SET_WORDS; i++)
        all |= set->words[i];
    return all == 0;
}

#endif
