// SPDX-License-Identifier: MIT
//
// Sets of blocks and the usual iterations to a fixed point. Kernels are small, so nothing cleverer is
// needed.

#include "flow.h"
#include "build.h"

#include <stdlib.h>
#include <string.h>

#define MAX_RETURNS 32 // of a switch

LLVMValueRef zc_wait_of(LLVMBasicBlockRef block)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    if (end == NULL || !LLVMIsABranchInst(end) || !LLVMIsConditional(end))
        return NULL;
    LLVMValueRef call = LLVMGetCondition(end);
    if (!LLVMIsACallInst(call) || !LLVMIsAFunction(LLVMGetCalledValue(call)))
        return NULL;
    return strcmp(zc_name_of(LLVMGetCalledValue(call)), "zc_suspend") == 0 ? call : NULL;
}

uint32_t zc_flow_number(const struct zc_flow *flow, LLVMBasicBlockRef block)
{
    const uintptr_t number = (uintptr_t)zc_map_get(&flow->numbers, block);
    return number > 0 ? (uint32_t)number - 1 : ZC_NO_BLOCK;
}

static uint32_t successor_count(LLVMBasicBlockRef block)
{
    return zc_wait_of(block) != NULL ? 1 : LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(block));
}

uint32_t zc_flow_successor_count(const struct zc_flow *flow, uint32_t block)
{
    return successor_count(flow->blocks[block]);
}

uint32_t zc_flow_successor(const struct zc_flow *flow, uint32_t block, uint32_t index)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(flow->blocks[block]);
    return zc_flow_number(flow, LLVMGetSuccessor(end, index));
}

static void add_block(struct zc_flow *flow, LLVMBasicBlockRef block)
{
    flow->blocks[flow->count++] = block;
    zc_map_put(&flow->numbers, block, (void *)(uintptr_t)flow->count);
}

// In the order of a search from the entry.
static void number_blocks(struct zc_flow *flow)
{
    add_block(flow, LLVMGetEntryBasicBlock(flow->function));
    for (uint32_t i = 0; i < flow->count; i++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(flow->blocks[i]);
        for (uint32_t s = 0; s < successor_count(flow->blocks[i]); s++) {
            LLVMBasicBlockRef next = LLVMGetSuccessor(end, s);
            if (zc_flow_number(flow, next) == ZC_NO_BLOCK)
                add_block(flow, next);
        }
    }
}

// Does a block do nothing but end the work-item?
static bool only_returns(LLVMBasicBlockRef block)
{
    for (int steps = 0; steps < 8; steps++) {
        LLVMValueRef first = LLVMGetFirstInstruction(block);
        if (LLVMIsAReturnInst(first))
            return true;
        if (!LLVMIsABranchInst(first) || LLVMIsConditional(first))
            return false;
        block = LLVMGetSuccessor(first, 0);
    }
    return false;
}

// The ways out of a branch that end the work-item, as a set of bits, where another way goes on.
static uint32_t find_returns(const struct zc_flow *flow, uint32_t block)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(flow->blocks[block]);
    const uint32_t count = zc_flow_successor_count(flow, block);
    uint32_t returns = 0, others = 0;
    for (uint32_t s = 0; s < count; s++) {
        if (s < MAX_RETURNS && only_returns(LLVMGetSuccessor(end, s)))
            returns |= 1u << s;
        else
            others++;
    }
    return count > 1 && others > 0 ? returns : 0;
}

bool zc_flow_is_return(const struct zc_flow *flow, uint32_t block, uint32_t index)
{
    return index < MAX_RETURNS && (flow->returns[block] >> index & 1);
}

// Which blocks come to an end without such a way?
static void find_ending(const struct zc_flow *flow, uint64_t *ending)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = flow->count; b-- > 0;) {
            const uint32_t count = zc_flow_successor_count(flow, b);
            bool ends = count == 0;
            for (uint32_t s = 0; s < count; s++)
                ends |= !zc_flow_is_return(flow, b, s) &&
                        zc_set_has(ending, zc_flow_successor(flow, b, s));
            if (!ends || zc_set_has(ending, b))
                continue;
            zc_set_add(ending, b);
            changed = true;
        }
    }
}

// Where a loop is left by nothing else, such a way counts like any other.
static bool note_returns(struct zc_flow *flow)
{
    uint64_t *ending = calloc(flow->words, sizeof(*ending));
    flow->returns = calloc(flow->count, sizeof(*flow->returns));
    if (ending != NULL && flow->returns != NULL) {
        for (uint32_t b = 0; b < flow->count; b++)
            flow->returns[b] = find_returns(flow, b);
        find_ending(flow, ending);
        for (uint32_t b = 0; b < flow->count; b++) {
            if (!zc_set_has(ending, b))
                flow->returns[b] = 0;
        }
    }
    const bool ok = ending != NULL && flow->returns != NULL;
    free(ending);
    return ok;
}

// set &= other; did it change?
static bool intersect(uint64_t *set, const uint64_t *other, uint32_t words, uint32_t own)
{
    bool changed = false;
    for (uint32_t w = 0; w < words; w++) {
        uint64_t both = set[w] & other[w];
        if (w == own / 64)
            both |= UINT64_C(1) << (own % 64);
        changed |= both != set[w];
        set[w] = both;
    }
    return changed;
}

static void start_with(uint64_t *set, uint32_t words, uint32_t only)
{
    memset(set, 0, words * sizeof(*set));
    zc_set_add(set, only);
}

static void find_dominators(struct zc_flow *flow)
{
    const uint32_t words = flow->words;
    start_with(flow->dominators, words, 0);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = 0; b < flow->count; b++) {
            for (uint32_t s = 0; s < zc_flow_successor_count(flow, b); s++) {
                const uint32_t next = zc_flow_successor(flow, b, s);
                changed |= intersect(
                    flow->dominators + next * words, flow->dominators + b * words, words, next);
            }
        }
    }
}

static void find_post_dominators(struct zc_flow *flow)
{
    const uint32_t words = flow->words;
    for (uint32_t b = 0; b < flow->count; b++) {
        if (zc_flow_successor_count(flow, b) == 0)
            start_with(flow->post_dominators + b * words, words, b);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = flow->count; b-- > 0;) {
            for (uint32_t s = 0; s < zc_flow_successor_count(flow, b); s++) {
                if (!zc_flow_is_return(flow, b, s))
                    changed |= intersect(flow->post_dominators + b * words,
                        flow->post_dominators + zc_flow_successor(flow, b, s) * words, words, b);
            }
        }
    }
}

bool zc_flow_init(struct zc_flow *flow, LLVMValueRef function)
{
    const uint32_t total = LLVMCountBasicBlocks(function);
    *flow = (struct zc_flow){.function = function, .words = ZC_SET_WORDS(total)};
    if (total > ZC_MAX_BLOCKS)
        return false;
    const size_t size = (size_t)total * flow->words * sizeof(uint64_t);
    flow->blocks = calloc(total, sizeof(LLVMBasicBlockRef));
    flow->dominators = malloc(size);
    flow->post_dominators = malloc(size);
    if (flow->blocks == NULL || flow->dominators == NULL || flow->post_dominators == NULL)
        return false;
    memset(flow->dominators, 0xff, size);
    memset(flow->post_dominators, 0xff, size);
    number_blocks(flow);
    if (!note_returns(flow))
        return false;
    find_dominators(flow);
    find_post_dominators(flow);
    return !flow->numbers.failed;
}

void zc_flow_finish(struct zc_flow *flow)
{
    free(flow->blocks);
    free(flow->returns);
    free(flow->dominators);
    free(flow->post_dominators);
    zc_map_finish(&flow->numbers);
}

bool zc_flow_dominates(const struct zc_flow *flow, uint32_t a, uint32_t b)
{
    return zc_set_has(flow->dominators + b * flow->words, a);
}

bool zc_flow_post_dominates(const struct zc_flow *flow, uint32_t a, uint32_t b)
{
    return zc_set_has(flow->post_dominators + b * flow->words, a);
}

static uint32_t size_of(const uint64_t *set, uint32_t words)
{
    uint32_t size = 0;
    for (uint32_t w = 0; w < words; w++)
        size += (uint32_t)__builtin_popcountll(set[w]);
    return size;
}

// Post-dominators of a block form a chain: the nearest has the most of its own.
uint32_t zc_flow_next_post_dominator(const struct zc_flow *flow, uint32_t block)
{
    uint32_t best = ZC_NO_BLOCK, most = 0;
    for (uint32_t b = 0; b < flow->count; b++) {
        if (b == block || !zc_flow_post_dominates(flow, b, block))
            continue;
        const uint32_t size = size_of(flow->post_dominators + b * flow->words, flow->words);
        if (size > most) {
            most = size;
            best = b;
        }
    }
    return best;
}

// Whatever reaches a block of the loop without passing the header is in it. Most blocks that lead to another have a lower number, so that
// a look from the highest down finds nearly all.
static void grow_loop(const struct zc_flow *flow, uint32_t header, uint64_t *blocks)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = flow->count; b-- > 0;) {
            for (uint32_t s = 0; !zc_set_has(blocks, b) && s < zc_flow_successor_count(flow, b);
                 s++) {
                const uint32_t next = zc_flow_successor(flow, b, s);
                if (next == header || !zc_set_has(blocks, next))
                    continue;
                zc_set_add(blocks, b);
                changed = true;
            }
        }
    }
}

bool zc_flow_loop(const struct zc_flow *flow, uint32_t header, uint64_t *blocks)
{
    bool found = false;
    for (uint32_t b = 0; b < flow->count; b++) {
        for (uint32_t s = 0; s < zc_flow_successor_count(flow, b); s++) {
            if (zc_flow_successor(flow, b, s) != header || !zc_flow_dominates(flow, header, b))
                continue;
            zc_set_add(blocks, b);
            found = true;
        }
    }
    if (!found)
        return false;
    zc_set_add(blocks, header);
    grow_loop(flow, header, blocks);
    return true;
}
