// SPDX-License-Identifier: MIT
//
// The control flow of a function: its blocks by number, who follows whom, what dominates what, loops.
//
// A block that waits at a barrier ends in `br (call zc_suspend), resumed, dead`; for the flow it has one
// successor.

#ifndef ZC_ENGINE_FLOW_H
#define ZC_ENGINE_FLOW_H

#include "map.h"

#include <stdbool.h>
#include <stdint.h>

#include <llvm-c/Core.h>

// A set of small numbers.
typedef uint64_t *zc_set;
#define ZC_SET_WORDS(count) (((count) + 63u) / 64u)

static inline bool zc_set_has(const uint64_t *set, uint32_t number)
{
    return set[number / 64] >> (number % 64) & 1;
}

static inline void zc_set_add(uint64_t *set, uint32_t number)
{
    set[number / 64] |= UINT64_C(1) << (number % 64);
}

struct zc_flow {
    LLVMValueRef function;
    LLVMBasicBlockRef *blocks; // those that can be reached; the entry is the first
    uint32_t count;
    uint32_t words;            // of a set of blocks
    uint32_t *returns;         // for each block, see zc_flow_is_return
    struct zc_map numbers;     // of blocks, plus one
    uint64_t *dominators;      // a set for each block
    uint64_t *post_dominators; // likewise
};

// What takes too long to analyse is not worth it.
#define ZC_MAX_BLOCKS 2000u

#define ZC_NO_BLOCK UINT32_MAX

// False: too large, or no memory. Finish it in any case.
bool zc_flow_init(struct zc_flow *flow, LLVMValueRef function);
void zc_flow_finish(struct zc_flow *flow);

uint32_t zc_flow_number(const struct zc_flow *flow, LLVMBasicBlockRef block);
uint32_t zc_flow_successor_count(const struct zc_flow *flow, uint32_t block);
uint32_t zc_flow_successor(const struct zc_flow *flow, uint32_t block, uint32_t index);

// Does this way out of a branch end the work-item at once, where another one goes on? Whoever takes it
// is not waited for, so post-dominators do without it.
bool zc_flow_is_return(const struct zc_flow *flow, uint32_t block, uint32_t index);

bool zc_flow_dominates(const struct zc_flow *flow, uint32_t a, uint32_t b);
bool zc_flow_post_dominates(const struct zc_flow *flow, uint32_t a, uint32_t b);
// The next block through which all ways from `block` to an end go; ZC_NO_BLOCK: none.
uint32_t zc_flow_next_post_dominator(const struct zc_flow *flow, uint32_t block);

// Adds the blocks of the loop that begins at `header`; false: none does.
bool zc_flow_loop(const struct zc_flow *flow, uint32_t header, uint64_t *blocks);

// The call of zc_suspend with which a block ends; NULL: it does not wait.
LLVMValueRef zc_wait_of(LLVMBasicBlockRef block);

#endif
