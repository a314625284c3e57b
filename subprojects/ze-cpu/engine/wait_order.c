// SPDX-License-Identifier: MIT
//
// The order in which a sub-group's work-items wait for each other where they have parted: those that are
// behind go first, so that they come to where the others wait and go on together.
//
// For that the blocks of a kernel are put in an order in which each comes behind those that lead to it, and the
// blocks of a loop stand together, before all that follows the loop.

#include "build.h"
#include "context.h"
#include "flow.h"

#include <stdlib.h>

struct order {
    struct zc_flow flow;
    uint64_t *loops;   // for each block: those of the loop that begins there; none if none does
    uint64_t *placed;  // blocks
    uint32_t *pending; // for each block: ways to it from blocks that are not placed, no loop's back
    uint32_t *open;    // headers of loops that are not finished, the innermost last
    uint32_t open_count;
};

static uint64_t *loop_at(const struct order *order, uint32_t header)
{
    return order->loops + (size_t)header * order->flow.words;
}

// Adds `change` for each way from the block.
static void count_ways(struct order *order, uint32_t block, uint32_t change)
{
    for (uint32_t s = 0; s < zc_flow_successor_count(&order->flow, block); s++) {
        const uint32_t next = zc_flow_successor(&order->flow, block, s);
        if (!zc_set_has(loop_at(order, next), block))
            order->pending[next] += change;
    }
}

// False: no memory, or the kernel is too large. Its work-items are then taken to wait at one place, and the log says so.
static bool start(struct order *order, LLVMValueRef function)
{
    const bool ok = zc_flow_init(&order->flow, function);
    const struct zc_flow *flow = &order->flow;
    order->loops = ok ? calloc((size_t)flow->count * flow->words, sizeof(uint64_t)) : NULL;
    order->placed = ok ? calloc(flow->words, sizeof(uint64_t)) : NULL;
    order->pending = ok ? calloc(flow->count, sizeof(uint32_t)) : NULL;
    order->open = ok ? calloc(flow->count, sizeof(uint32_t)) : NULL;
    if (order->loops == NULL || order->placed == NULL || order->pending == NULL ||
        order->open == NULL)
        return false;
    for (uint32_t b = 0; b < flow->count; b++)
        zc_flow_loop(flow, b, loop_at(order, b));
    for (uint32_t b = 0; b < flow->count; b++)
        count_ways(order, b, 1);
    return true;
}

static void finish(struct order *order)
{
    free(order->loops);
    free(order->placed);
    free(order->pending);
    free(order->open);
    zc_flow_finish(&order->flow);
}

static bool is_finished(const struct order *order, uint32_t header)
{
    const uint64_t *loop = loop_at(order, header);
    for (uint32_t w = 0; w < order->flow.words; w++) {
        if (loop[w] & ~order->placed[w])
            return false;
    }
    return true;
}

// The next block: of the innermost loop that is not finished. Control flow that no structured program has may leave
// none that is ready.
static uint32_t choose(const struct order *order)
{
    const uint64_t *inside =
        order->open_count > 0 ? loop_at(order, order->open[order->open_count - 1]) : NULL;
    uint32_t other = ZC_NO_BLOCK;
    for (uint32_t b = 0; b < order->flow.count; b++) {
        if (zc_set_has(order->placed, b) || (inside != NULL && !zc_set_has(inside, b)))
            continue;
        if (order->pending[b] == 0)
            return b;
        if (other == ZC_NO_BLOCK)
            other = b;
    }
    return other;
}

static void place(struct order *order, uint32_t block)
{
    zc_set_add(order->placed, block);
    count_ways(order, block, UINT32_MAX); // one less
    if (zc_set_has(loop_at(order, block), block))
        order->open[order->open_count++] = block;
    while (order->open_count > 0 && is_finished(order, order->open[order->open_count - 1]))
        order->open_count--;
}

// What it waits for may be known only when it runs.
static bool may_be_of_sub_group(LLVMValueRef wait)
{
    LLVMValueRef whom = LLVMGetOperand(wait, 0);
    return !LLVMIsAConstantInt(whom) ||
           (LLVMConstIntGetZExtValue(whom) & ZC_WAITS_FOR_SUB_GROUP) != 0;
}

static void write_place(struct zc_build *build, LLVMValueRef wait, uint64_t number)
{
    LLVMPositionBuilderBefore(build->builder, wait);
    LLVMValueRef place = zc_const_i64(build, number << ZC_WAIT_PLACE_SHIFT);
    LLVMSetOperand(wait, 0, LLVMBuildOr(build->builder, LLVMGetOperand(wait, 0), place, ""));
}

static LLVMValueRef sub_group_wait_of(LLVMBasicBlockRef block)
{
    LLVMValueRef wait = zc_wait_of(block);
    return wait != NULL && may_be_of_sub_group(wait) ? wait : NULL;
}

static bool waits_for_sub_group(LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        if (sub_group_wait_of(b) != NULL)
            return true;
    }
    return false;
}

// ---- rounds of loops ----

static bool leads_back(const struct zc_flow *flow, uint32_t block, uint32_t header)
{
    for (uint32_t s = 0; s < zc_flow_successor_count(flow, block); s++) {
        if (zc_flow_successor(flow, block, s) == header)
            return true;
    }
    return false;
}

// Can a round go by without this wait?
static bool may_be_missed(const struct order *order, uint32_t header, uint32_t wait)
{
    const uint64_t *loop = loop_at(order, header);
    for (uint32_t b = 0; b < order->flow.count; b++) {
        if (zc_set_has(loop, b) && leads_back(&order->flow, b, header) &&
            !zc_flow_dominates(&order->flow, wait, b))
            return true;
    }
    return false;
}

// Is the block in another loop inside of this one? Then some may come to it again while others are in this one's next round.
static bool is_in_inner_loop(const struct order *order, uint32_t header, uint32_t block)
{
    const uint64_t *loop = loop_at(order, header);
    for (uint32_t inner = 0; inner < order->flow.count; inner++) {
        if (inner != header && zc_set_has(loop, inner) && zc_set_has(loop_at(order, inner), block))
            return true;
    }
    return false;
}

static bool needs_rounds(const struct order *order, uint32_t header)
{
    const uint64_t *loop = loop_at(order, header);
    for (uint32_t b = 0; b < order->flow.count; b++) {
        if (zc_set_has(loop, b) && sub_group_wait_of(order->flow.blocks[b]) != NULL &&
            (is_in_inner_loop(order, header, b) || may_be_missed(order, header, b)))
            return true;
    }
    return false;
}

// A phi with another block in the place of one: the C API can't change it.
static void replace_incoming(
    struct zc_build *build, LLVMValueRef phi, LLVMBasicBlockRef old, LLVMBasicBlockRef replacement)
{
    bool is_there = false;
    LLVMPositionBuilderBefore(build->builder, phi);
    LLVMValueRef copy = LLVMBuildPhi(build->builder, LLVMTypeOf(phi), "");
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
        LLVMValueRef value = LLVMGetIncomingValue(phi, i);
        if (from == old && is_there)
            continue;
        is_there |= from == old;
        from = from == old ? replacement : from;
        LLVMAddIncoming(copy, &value, &from, 1);
    }
    LLVMReplaceAllUsesWith(phi, copy);
    LLVMInstructionEraseFromParent(phi);
}

// Puts a wait for the sub-group on the way from there back to the header.
static void wait_on_the_way(struct zc_build *build, LLVMBasicBlockRef from,
    LLVMBasicBlockRef header, LLVMBasicBlockRef dead)
{
    LLVMValueRef suspend = LLVMGetNamedFunction(build->module, "zc_suspend");
    LLVMBasicBlockRef round = LLVMInsertBasicBlockInContext(build->context, dead, "");
    LLVMPositionBuilderAtEnd(build->builder, round);
    LLVMValueRef whom = zc_const_i64(build, ZC_WAITS_FOR_SUB_GROUP | ZC_WAIT_ORDERS_NOTHING);
    LLVMSetCurrentDebugLocation2(build->builder, NULL); // no line of the program's
    LLVMValueRef call =
        LLVMBuildCall2(build->builder, LLVMGlobalGetValueType(suspend), suspend, &whom, 1, "");
    LLVMBuildCondBr(build->builder, call, header, dead);
    LLVMValueRef next = LLVMGetFirstInstruction(header);
    while (next != NULL && LLVMIsAPHINode(next)) {
        LLVMValueRef phi = next;
        next = LLVMGetNextInstruction(phi);
        replace_incoming(build, phi, from, round);
    }
    LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
    for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++) {
        if (LLVMGetSuccessor(end, s) == header)
            LLVMSetSuccessor(end, s, round);
    }
}

// Where some members may miss an operation in a round of a loop, all wait for each other at its end: who misses it must not
// be taken for one who comes to it in the next round.
static void separate_rounds(struct zc_build *build, LLVMValueRef function)
{
    struct order order = {0};
    if (start(&order, function)) {
        LLVMBasicBlockRef dead = LLVMAppendBasicBlockInContext(build->context, function, "dead");
        LLVMPositionBuilderAtEnd(build->builder, dead);
        LLVMSetCurrentDebugLocation2(build->builder, NULL); // that of another kernel, perhaps
        LLVMBuildUnreachable(build->builder);
        for (uint32_t header = 0; header < order.flow.count; header++) {
            const uint64_t *loop = loop_at(&order, header);
            if (!needs_rounds(&order, header))
                continue;
            for (uint32_t b = 0; b < order.flow.count; b++) {
                if (zc_set_has(loop, b) && leads_back(&order.flow, b, header))
                    wait_on_the_way(build, order.flow.blocks[b], order.flow.blocks[header], dead);
            }
        }
    }
    finish(&order);
}

// ---- numbers ----

// Of a wait of a sub-group: have we added it?
static bool ends_round(LLVMValueRef wait)
{
    LLVMValueRef whom = LLVMGetOperand(wait, 0);
    return LLVMIsAConstantInt(whom) &&
           (LLVMConstIntGetZExtValue(whom) & ZC_WAIT_ORDERS_NOTHING) != 0;
}

// The last number in the loop that a round's end leads back to: all rounds of it end at one place.
static uint64_t last_of_loop(const struct order *order, uint32_t block, const uint32_t *numbers)
{
    const uint64_t *loop = loop_at(order, zc_flow_successor(&order->flow, block, 0));
    uint32_t last = 0;
    for (uint32_t b = 0; b < order->flow.count; b++) {
        if (zc_set_has(loop, b) && numbers[b] > last)
            last = numbers[b];
    }
    return last;
}

static void write_places(struct zc_build *build, struct order *order, uint32_t *numbers)
{
    for (uint32_t n = 1; n <= order->flow.count; n++) {
        const uint32_t block = choose(order);
        numbers[block] = n;
        place(order, block);
    }
    for (uint32_t b = 0; b < order->flow.count; b++) {
        LLVMValueRef wait = sub_group_wait_of(order->flow.blocks[b]);
        if (wait != NULL)
            write_place(build, wait,
                ends_round(wait) ? 2 * last_of_loop(order, b, numbers) + 1
                                 : 2 * (uint64_t)numbers[b]);
    }
}

void zc_wait_order_write(struct zc_build *build, LLVMValueRef function)
{
    struct order order = {0};
    if (!waits_for_sub_group(function))
        return;
    separate_rounds(build, function);
    uint32_t *numbers = start(&order, function) ? calloc(order.flow.count, sizeof(*numbers)) : NULL;
    if (numbers != NULL)
        write_places(build, &order, numbers);
    else
        zc_log_add(&build->log,
            "warning: \"%s\" is so large that operations of sub-groups are right only where all "
            "members come to them",
            LLVMGetValueName(function));
    free(numbers);
    finish(&order);
}
