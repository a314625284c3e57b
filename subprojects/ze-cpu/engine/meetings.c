// SPDX-License-Identifier: MIT
//
// Loops of a kernel at whose headers all work-items meet, so that the loop over work-items becomes the
// innermost one, which LLVM can vectorise.
//
// Chosen while the body still has phis; whether work-items can meet there, and whether that is faster, is for
// the analysis to say (fission.c).

#include "analysis.h"
#include "fission.h"

#include <stdlib.h>
#include <string.h>

// Loops of so few rounds, and so much code in all, are unrolled instead.
#define MAX_UNROLLED_ROUNDS 32
#define MAX_UNROLLED_CODE 600

static bool is_in_loop(const struct zc_flow *flow, const uint64_t *blocks, LLVMBasicBlockRef block)
{
    const uint32_t number = zc_flow_number(flow, block);
    return number != ZC_NO_BLOCK && zc_set_has(blocks, number);
}

// The constant that a phi of the header starts with, and what each round adds; false: it is otherwise.
static bool read_counter(const struct zc_flow *flow, const uint64_t *blocks, LLVMValueRef phi,
    int64_t *start, int64_t *step)
{
    bool has_start = false, has_step = false;
    if (LLVMGetTypeKind(LLVMTypeOf(phi)) != LLVMIntegerTypeKind || LLVMCountIncoming(phi) != 2)
        return false;
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef value = LLVMGetIncomingValue(phi, i);
        if (!is_in_loop(flow, blocks, LLVMGetIncomingBlock(phi, i))) {
            has_start = LLVMIsAConstantInt(value) != NULL;
            *start = has_start ? LLVMConstIntGetSExtValue(value) : 0;
        } else if (LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == LLVMAdd &&
                   LLVMGetOperand(value, 0) == phi &&
                   LLVMIsAConstantInt(LLVMGetOperand(value, 1))) {
            has_step = true;
            *step = LLVMConstIntGetSExtValue(LLVMGetOperand(value, 1));
        }
    }
    return has_start && has_step && *step != 0;
}

// The constant with which the counter, or what it becomes, is compared.
static bool read_bound(LLVMValueRef value, int64_t *bound)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAICmpInst(user) || !LLVMIsAConstantInt(LLVMGetOperand(user, 1)))
            continue;
        *bound = LLVMConstIntGetSExtValue(LLVMGetOperand(user, 1));
        return true;
    }
    for (LLVMUseRef use = LLVMGetFirstUse(value); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAInstruction(user) && LLVMGetInstructionOpcode(user) == LLVMAdd &&
            LLVMIsAPHINode(value) && read_bound(user, bound))
            return true;
    }
    return false;
}

// At most; 0: unknown.
static uint64_t rounds_of(const struct zc_flow *flow, uint32_t header, const uint64_t *blocks)
{
    LLVMValueRef i = LLVMGetFirstInstruction(flow->blocks[header]);
    for (; i != NULL && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i)) {
        int64_t start = 0, step = 1, bound = 0;
        if (!read_counter(flow, blocks, i, &start, &step) || !read_bound(i, &bound))
            continue;
        const int64_t rounds = (bound - start) / step;
        if (rounds >= 0 && rounds < MAX_UNROLLED_ROUNDS)
            return (uint64_t)rounds + 1;
    }
    return 0;
}

static bool is_vector(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind;
}

static bool is_intrinsic_call(LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    return zc_is_context_call(call) || (LLVMIsAFunction(callee) && LLVMGetIntrinsicID(callee) != 0);
}

// What LLVM does not vectorise, or what is better left to one work-item after the other.
static bool is_unsuitable(LLVMValueRef instruction)
{
    if (is_vector(LLVMTypeOf(instruction)))
        return true;
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMLoad:
        return LLVMGetVolatile(instruction) ||
               LLVMGetOrdering(instruction) != LLVMAtomicOrderingNotAtomic;
    case LLVMStore:
        return is_vector(LLVMTypeOf(LLVMGetOperand(instruction, 0))) ||
               LLVMGetVolatile(instruction) ||
               LLVMGetOrdering(instruction) != LLVMAtomicOrderingNotAtomic;
    case LLVMCall:
        return !is_intrinsic_call(instruction);
    case LLVMFence:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMSwitch:
        return true;
    default:
        return zc_wait_of(LLVMGetInstructionParent(instruction)) != NULL;
    }
}

// Instructions in the loop; 0: some are unsuitable.
static uint32_t code_of(const struct zc_flow *flow, const uint64_t *blocks)
{
    uint32_t count = 0;
    for (uint32_t b = 0; b < flow->count; b++) {
        LLVMValueRef i = LLVMGetFirstInstruction(flow->blocks[b]);
        for (; zc_set_has(blocks, b) && i != NULL; i = LLVMGetNextInstruction(i), count++) {
            if (is_unsuitable(i))
                return 0;
        }
    }
    return count;
}

static void mark_unrolled(
    struct zc_build *build, const struct zc_flow *flow, uint32_t header, const uint64_t *blocks)
{
    for (uint32_t b = 0; b < flow->count; b++) {
        for (uint32_t s = 0; zc_set_has(blocks, b) && s < zc_flow_successor_count(flow, b); s++) {
            if (zc_flow_successor(flow, b, s) == header)
                zc_loop_set_property(
                    build, LLVMGetBasicBlockTerminator(flow->blocks[b]), "llvm.loop.unroll.full");
        }
    }
}

struct loop {
    uint32_t header;
    uint64_t *blocks;
    bool is_unrolled;
};

static bool contains(const struct loop *outer, const struct loop *inner)
{
    return outer != inner && zc_set_has(outer->blocks, inner->header);
}

static bool find_loops(const struct zc_flow *flow, struct loop *loops, uint32_t *count)
{
    for (uint32_t b = 0; b < flow->count; b++) {
        uint64_t *blocks = calloc(flow->words, sizeof(*blocks));
        if (blocks == NULL)
            return false;
        if (zc_flow_loop(flow, b, blocks))
            loops[(*count)++] = (struct loop){.header = b, .blocks = blocks};
        else
            free(blocks);
    }
    return true;
}

// Is there only code in it that disappears, besides its own?
static bool is_innermost(const struct loop *loops, uint32_t count, const struct loop *loop)
{
    for (uint32_t i = 0; i < count; i++) {
        if (contains(loop, &loops[i]) && !loops[i].is_unrolled)
            return false;
    }
    return true;
}

static void unroll_short_loops(
    struct zc_build *build, const struct zc_flow *flow, struct loop *loops, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t rounds = rounds_of(flow, loops[i].header, loops[i].blocks);
        const uint64_t code = code_of(flow, loops[i].blocks);
        loops[i].is_unrolled = rounds > 0 && code > 0 && rounds * code <= MAX_UNROLLED_CODE;
        for (uint32_t k = 0; k < count; k++)
            loops[i].is_unrolled &= !contains(&loops[i], &loops[k]);
        if (loops[i].is_unrolled)
            mark_unrolled(build, flow, loops[i].header, loops[i].blocks);
    }
}

bool zc_meetings_choose(struct zc_build *build, LLVMValueRef body, bool wanted,
    struct zc_meeting **meetings, uint32_t *meeting_count)
{
    struct zc_flow flow;
    uint32_t count = 0;
    bool ok = zc_flow_init(&flow, body);
    struct loop *loops = calloc(flow.count + 1, sizeof(*loops));
    *meetings = calloc(flow.count + 1, sizeof(**meetings));
    *meeting_count = 0;
    ok = ok && loops != NULL && *meetings != NULL && find_loops(&flow, loops, &count);
    if (ok)
        unroll_short_loops(build, &flow, loops, count);
    for (uint32_t i = 0; ok && wanted && i < count; i++) {
        if (!loops[i].is_unrolled && is_innermost(loops, count, &loops[i]) &&
            code_of(&flow, loops[i].blocks) > 0)
            (*meetings)[(*meeting_count)++].block = flow.blocks[loops[i].header];
    }
    for (uint32_t i = 0; loops != NULL && i < count; i++)
        free(loops[i].blocks);
    free(loops);
    zc_flow_finish(&flow);
    return ok;
}
