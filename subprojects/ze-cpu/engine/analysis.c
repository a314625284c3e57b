// SPDX-License-Identifier: MIT
//
// Values start as uniform and blocks as visited by all; what is seen to differ is noted until nothing new
// is found.
//
// A load from an address that is the same for all gives all the same: whoever changed the memory
// meanwhile would be racing with the others of the group. A group of one work-item races with nobody, so
// this does not hold behind a store, until all meet again.

#include "analysis.h"
#include "llvm_versions.h"

#include <stdlib.h>
#include <string.h>

#define MAX_STRIDE_DEPTH 24

bool zc_is_context_call(LLVMValueRef value)
{
    if (!LLVMIsACallInst(value) || !LLVMIsAFunction(LLVMGetCalledValue(value)))
        return false;
    return strcmp(zc_name_of(LLVMGetCalledValue(value)), "zc_get_context") == 0;
}

// Bytes that constant indices add to an address; false: they are not all constant.
static bool constant_offset(struct zc_build *build, LLVMValueRef gep, uint64_t *offset)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    for (int i = 1; i < LLVMGetNumOperands(gep); i++) {
        LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);
        if (!LLVMIsAConstantInt(index))
            return false;
        const uint64_t number = LLVMConstIntGetZExtValue(index);
        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            *offset += LLVMOffsetOfElement(build->layout, type, (unsigned)number);
            type = LLVMStructGetTypeAtIndex(type, (unsigned)number);
            continue;
        }
        if (i > 1 && LLVMGetTypeKind(type) != LLVMArrayTypeKind)
            return false;
        if (i > 1)
            type = LLVMGetElementType(type);
        *offset += number * LLVMABISizeOfType(build->layout, type);
    }
    return true;
}

bool zc_is_context_load(struct zc_build *build, LLVMValueRef value, unsigned *word)
{
    if (!LLVMIsALoadInst(value))
        return false;
    LLVMValueRef address = LLVMGetOperand(value, 0);
    uint64_t offset = 0;
    bool is_constant = true;
    while (LLVMIsAGetElementPtrInst(address) || LLVMIsAAddrSpaceCastInst(address) ||
           LLVMIsABitCastInst(address)) {
        if (LLVMIsAGetElementPtrInst(address))
            is_constant &= constant_offset(build, address, &offset);
        address = LLVMGetOperand(address, 0);
    }
    if (!zc_is_context_call(address))
        return false;
    *word = is_constant ? (unsigned)(offset / sizeof(zc_word)) : ZC_CONTEXT_WORDS;
    return true;
}

bool zc_is_varying(const struct zc_analysis *analysis, LLVMValueRef value)
{
    return zc_map_get(&analysis->varying, value) != NULL;
}

bool zc_is_slot(const struct zc_analysis *analysis, LLVMValueRef value)
{
    return LLVMIsAAllocaInst(value) && zc_map_get(&analysis->taken, value) == NULL;
}

static bool note_varying(struct zc_analysis *analysis, LLVMValueRef value)
{
    if (zc_is_varying(analysis, value))
        return false;
    zc_map_put(&analysis->varying, value, value);
    return true;
}

static bool is_plain_use(LLVMValueRef user, LLVMValueRef variable)
{
    LLVMTypeRef type = LLVMGetAllocatedType(variable);
    if (LLVMIsALoadInst(user))
        return LLVMTypeOf(user) == type && !LLVMGetVolatile(user);
    return LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == variable &&
           LLVMGetOperand(user, 0) != variable && LLVMTypeOf(LLVMGetOperand(user, 0)) == type &&
           !LLVMGetVolatile(user);
}

static void find_taken(struct zc_analysis *analysis)
{
    LLVMBasicBlockRef entry = analysis->flow.blocks[0];
    for (LLVMValueRef a = LLVMGetFirstInstruction(entry); a; a = LLVMGetNextInstruction(a)) {
        LLVMUseRef use = LLVMIsAAllocaInst(a) ? LLVMGetFirstUse(a) : NULL;
        for (; use != NULL; use = LLVMGetNextUse(use)) {
            if (is_plain_use(LLVMGetUser(use), a))
                continue;
            zc_map_put(&analysis->taken, a, a);
            note_varying(analysis, a);
        }
    }
}

const struct zc_meeting *zc_meeting_around(const struct zc_analysis *analysis, uint32_t block)
{
    for (uint32_t m = 0; m < analysis->meeting_count; m++) {
        const struct zc_meeting *meeting = &analysis->meetings[m];
        if (!meeting->is_dropped && zc_set_has(meeting->blocks, block))
            return meeting;
    }
    return NULL;
}

static bool is_varying_load(const struct zc_analysis *analysis, LLVMValueRef load)
{
    unsigned word;
    LLVMValueRef address = LLVMGetOperand(load, 0);
    if (zc_is_context_load(analysis->build, load, &word))
        return word < (analysis->is_row ? 1 : 3) || word >= ZC_CONTEXT_WORDS;
    return LLVMGetVolatile(load) || LLVMGetOrdering(load) != LLVMAtomicOrderingNotAtomic ||
           zc_is_varying(analysis, address);
}

static bool has_varying_operand(const struct zc_analysis *analysis, LLVMValueRef instruction)
{
    for (int i = 0; i < LLVMGetNumOperands(instruction); i++) {
        LLVMValueRef operand = LLVMGetOperand(instruction, (unsigned)i);
        if (operand != NULL && zc_is_varying(analysis, operand))
            return true;
    }
    return false;
}

static bool is_varying_call(const struct zc_analysis *analysis, LLVMValueRef call)
{
    if (zc_is_context_call(call))
        return false;
    LLVMValueRef callee = LLVMGetCalledValue(call);
    return !LLVMIsAFunction(callee) || !zc_touches_no_memory(callee) ||
           has_varying_operand(analysis, call);
}

static bool is_varying_result(const struct zc_analysis *analysis, LLVMValueRef instruction)
{
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMAlloca:
        return false;
    case LLVMLoad:
        return is_varying_load(analysis, instruction);
    case LLVMCall:
        return is_varying_call(analysis, instruction);
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMPHI:
    case LLVMVAArg:
        return true;
    default:
        return has_varying_operand(analysis, instruction);
    }
}

// A store into a slot makes that varying where the value is, or where not all come by together.
static bool visit_store(struct zc_analysis *analysis, LLVMValueRef store, uint32_t block)
{
    LLVMValueRef slot = LLVMGetOperand(store, 1);
    const bool differs = zc_is_varying(analysis, LLVMGetOperand(store, 0)) ||
                         zc_set_has(analysis->divergent, block) ||
                         zc_set_has(analysis->apart, block);
    return zc_is_slot(analysis, slot) && differs && note_varying(analysis, slot);
}

static bool visit_instruction(struct zc_analysis *analysis, LLVMValueRef value, uint32_t block)
{
    if (LLVMIsAStoreInst(value))
        return visit_store(analysis, value, block);
    return !zc_is_varying(analysis, value) && is_varying_result(analysis, value) &&
           note_varying(analysis, value);
}

bool zc_branches_together(const struct zc_analysis *analysis, uint32_t block)
{
    LLVMBasicBlockRef b = analysis->flow.blocks[block];
    LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
    if (zc_flow_successor_count(&analysis->flow, block) < 2)
        return true;
    return !zc_is_varying(
        analysis, LLVMIsABranchInst(end) ? LLVMGetCondition(end) : LLVMGetOperand(end, 0));
}

// Notes what can be reached from a block before `end`.
static void reach(struct zc_analysis *analysis, uint32_t from, uint32_t end)
{
    if (from == end || zc_set_has(analysis->reached, from))
        return;
    zc_set_add(analysis->reached, from);
    for (uint32_t s = 0; s < zc_flow_successor_count(&analysis->flow, from); s++)
        reach(analysis, zc_flow_successor(&analysis->flow, from, s), end);
}

static bool mark_until(struct zc_analysis *analysis, uint32_t from, uint32_t end)
{
    const uint32_t words = analysis->flow.words;
    bool changed = false;
    memset(analysis->reached, 0, words * sizeof(uint64_t));
    reach(analysis, from, end);
    for (uint32_t w = 0; w < words; w++) {
        changed |= (analysis->reached[w] & ~analysis->divergent[w]) != 0;
        analysis->divergent[w] |= analysis->reached[w];
    }
    return changed;
}

static bool mark_branches(struct zc_analysis *analysis, uint32_t block, const uint64_t *within)
{
    bool changed = false;
    uint32_t ways = 0;
    const uint32_t count = zc_flow_successor_count(&analysis->flow, block);
    for (uint32_t s = 0; s < count; s++)
        ways +=
            !zc_flow_is_return(&analysis->flow, block, s) &&
            (within == NULL || zc_set_has(within, zc_flow_successor(&analysis->flow, block, s)));
    if (ways < 2)
        return false;
    const uint32_t end = zc_flow_next_post_dominator(&analysis->flow, block);
    for (uint32_t s = 0; s < count; s++) {
        if (!zc_flow_is_return(&analysis->flow, block, s))
            changed |= mark_until(analysis, zc_flow_successor(&analysis->flow, block, s), end);
    }
    return changed;
}

// Calls visit for each block behind the loop to which a block of it goes.
typedef bool (*exit_visitor)(struct zc_analysis *analysis, uint32_t exit, uint32_t data);

static bool visit_exits(struct zc_analysis *analysis, const struct zc_meeting *meeting,
    exit_visitor visit, uint32_t data)
{
    bool changed = false;
    const struct zc_flow *flow = &analysis->flow;
    for (uint32_t b = 0; b < flow->count; b++) {
        for (uint32_t s = 0; zc_set_has(meeting->blocks, b) && s < zc_flow_successor_count(flow, b);
             s++) {
            const uint32_t next = zc_flow_successor(flow, b, s);
            if (!zc_set_has(meeting->blocks, next) && !zc_flow_is_return(flow, b, s))
                changed |= visit(analysis, next, data);
        }
    }
    return changed;
}

static bool mark_exit(struct zc_analysis *analysis, uint32_t exit, uint32_t end)
{
    return mark_until(analysis, exit, end);
}

// Work-items leave this loop one after the other, and meet behind it.
static bool set_apart(struct zc_analysis *analysis, struct zc_meeting *meeting)
{
    if (meeting->leaves_apart)
        return false;
    meeting->leaves_apart = true;
    for (uint32_t w = 0; w < analysis->flow.words; w++)
        analysis->apart[w] |= meeting->blocks[w];
    visit_exits(analysis, meeting, mark_exit, zc_meeting_end(analysis, meeting));
    return true;
}

static bool leaves(
    const struct zc_analysis *analysis, const struct zc_meeting *meeting, uint32_t block)
{
    for (uint32_t s = 0; s < zc_flow_successor_count(&analysis->flow, block); s++) {
        if (!zc_flow_is_return(&analysis->flow, block, s) &&
            !zc_set_has(meeting->blocks, zc_flow_successor(&analysis->flow, block, s)))
            return true;
    }
    return false;
}

static bool visit_branch(struct zc_analysis *analysis, uint32_t block)
{
    struct zc_meeting *meeting = (struct zc_meeting *)zc_meeting_around(analysis, block);
    if (zc_branches_together(analysis, block))
        return false;
    if (meeting == NULL || !leaves(analysis, meeting, block))
        return mark_branches(analysis, block, NULL);
    const bool changed = set_apart(analysis, meeting);
    return mark_branches(analysis, block, meeting->blocks) || changed;
}

static void propagate(struct zc_analysis *analysis)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = 0; b < analysis->flow.count; b++) {
            LLVMValueRef i = LLVMGetFirstInstruction(analysis->flow.blocks[b]);
            for (; i != NULL; i = LLVMGetNextInstruction(i))
                changed |= visit_instruction(analysis, i, b);
            changed |= visit_branch(analysis, b);
        }
    }
}

// Kinds of memory that may have been written to since all met.
enum { GLOBAL_WRITTEN = 1, LOCAL_WRITTEN = 2, ALL_WRITTEN = 3 };

static uint8_t kind_of_memory(LLVMValueRef address)
{
    switch (LLVMGetPointerAddressSpace(LLVMTypeOf(address))) {
    case 1:
        return GLOBAL_WRITTEN;
    case 2:
        return 0;
    case 3:
        return LOCAL_WRITTEN;
    default:
        return ALL_WRITTEN;
    }
}

static bool is_private(LLVMValueRef address)
{
    while (LLVMIsAGetElementPtrInst(address) || LLVMIsABitCastInst(address) ||
           LLVMIsAAddrSpaceCastInst(address))
        address = LLVMGetOperand(address, 0);
    return LLVMIsAAllocaInst(address) != NULL;
}

static uint8_t writes(const struct zc_analysis *analysis, LLVMValueRef instruction)
{
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMStore:
        return is_private(LLVMGetOperand(instruction, 1))
                   ? 0
                   : kind_of_memory(LLVMGetOperand(instruction, 1));
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return kind_of_memory(LLVMGetOperand(instruction, 0));
    case LLVMCall:
        return is_varying_call(analysis, instruction) ? ALL_WRITTEN : 0;
    default:
        return 0;
    }
}

// Notes loads behind such writes; returns what has been written at the block's end.
static uint8_t note_stale_loads(struct zc_analysis *analysis, uint32_t block, uint8_t written)
{
    LLVMValueRef i = LLVMGetFirstInstruction(analysis->flow.blocks[block]);
    for (; i != NULL; i = LLVMGetNextInstruction(i)) {
        LLVMValueRef address = LLVMIsALoadInst(i) ? LLVMGetOperand(i, 0) : NULL;
        unsigned word;
        if (address != NULL && (kind_of_memory(address) & written) != 0 && !is_private(address) &&
            !zc_is_context_load(analysis->build, i, &word))
            note_varying(analysis, i);
        written |= writes(analysis, i);
    }
    return written;
}

// Do all meet on the way from one block to the other?
static bool meet_between(const struct zc_analysis *analysis, uint32_t from, uint32_t to)
{
    const struct zc_meeting *there = zc_meeting_around(analysis, to);
    const struct zc_meeting *here = zc_meeting_around(analysis, from);
    return zc_wait_of(analysis->flow.blocks[from]) != NULL ||
           (there != NULL && there->header == to) || (here != NULL && here != there);
}

static void find_stale_loads(struct zc_analysis *analysis)
{
    const struct zc_flow *flow = &analysis->flow;
    memset(analysis->written, 0, flow->count);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = 0; b < flow->count; b++) {
            const uint8_t written = note_stale_loads(analysis, b, analysis->written[b]);
            for (uint32_t s = 0; s < zc_flow_successor_count(flow, b); s++) {
                const uint32_t next = zc_flow_successor(flow, b, s);
                const uint8_t more = meet_between(analysis, b, next) ? 0 : written;
                changed |= (more & ~analysis->written[next]) != 0;
                analysis->written[next] |= more;
            }
        }
    }
}

static void forget(struct zc_analysis *analysis)
{
    const size_t size = analysis->flow.words * sizeof(uint64_t);
    zc_map_finish(&analysis->varying);
    zc_map_finish(&analysis->taken);
    memset(analysis->divergent, 0, size);
    memset(analysis->apart, 0, size);
    for (uint32_t m = 0; m < analysis->meeting_count; m++)
        analysis->meetings[m].leaves_apart = false;
}

// Drops the meetings that only some work-items would come to; were there any?
static bool drop_meetings(struct zc_analysis *analysis)
{
    bool dropped = false;
    for (uint32_t m = 0; m < analysis->meeting_count; m++) {
        struct zc_meeting *meeting = &analysis->meetings[m];
        if (meeting->is_dropped || !zc_set_has(analysis->divergent, meeting->header))
            continue;
        meeting->is_dropped = dropped = true;
    }
    return dropped;
}

void zc_analysis_run(struct zc_analysis *analysis)
{
    do {
        forget(analysis);
        find_taken(analysis);
        find_stale_loads(analysis);
        propagate(analysis);
    } while (drop_meetings(analysis));
}

static bool locate(struct zc_analysis *analysis, struct zc_meeting *meeting)
{
    meeting->header = zc_flow_number(&analysis->flow, meeting->block);
    meeting->blocks = calloc(analysis->flow.words, sizeof(uint64_t));
    if (meeting->blocks == NULL)
        return false;
    meeting->is_dropped = meeting->header == ZC_NO_BLOCK ||
                          !zc_flow_loop(&analysis->flow, meeting->header, meeting->blocks);
    return true;
}

bool zc_analysis_init(
    struct zc_analysis *analysis, struct zc_build *build, struct zc_kernel_build *kernel)
{
    *analysis = (struct zc_analysis){.build = build,
        .is_row = !kernel->info->has_barrier,
        .meetings = kernel->meetings,
        .meeting_count = kernel->meeting_count};
    kernel->meetings = NULL;
    if (!zc_flow_init(&analysis->flow, kernel->body))
        return false;
    analysis->divergent = calloc(analysis->flow.words, sizeof(uint64_t));
    analysis->apart = calloc(analysis->flow.words, sizeof(uint64_t));
    analysis->reached = calloc(analysis->flow.words, sizeof(uint64_t));
    analysis->written = calloc(analysis->flow.count + 1, 1);
    bool ok = analysis->written != NULL && analysis->divergent != NULL && analysis->apart != NULL &&
              analysis->reached != NULL;
    for (uint32_t m = 0; ok && m < analysis->meeting_count; m++)
        ok = locate(analysis, &analysis->meetings[m]);
    if (ok)
        zc_analysis_run(analysis);
    return ok && !analysis->varying.failed && !analysis->taken.failed;
}

void zc_analysis_finish(struct zc_analysis *analysis)
{
    for (uint32_t m = 0; m < analysis->meeting_count; m++)
        free(analysis->meetings[m].blocks);
    free(analysis->meetings);
    free(analysis->divergent);
    free(analysis->apart);
    free(analysis->reached);
    free(analysis->written);
    zc_map_finish(&analysis->varying);
    zc_map_finish(&analysis->taken);
    zc_flow_finish(&analysis->flow);
}

// The nearest block behind the loop to which all come who leave it.
uint32_t zc_meeting_end(const struct zc_analysis *analysis, const struct zc_meeting *meeting)
{
    uint32_t block = meeting->header;
    while (block != ZC_NO_BLOCK && zc_set_has(meeting->blocks, block))
        block = zc_flow_next_post_dominator(&analysis->flow, block);
    return block;
}

static LLVMValueRef only_value_of(LLVMValueRef slot)
{
    LLVMValueRef value = NULL;
    for (LLVMUseRef use = LLVMGetFirstUse(slot); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAStoreInst(user))
            continue;
        if (value != NULL)
            return NULL;
        value = LLVMGetOperand(user, 0);
    }
    return value;
}

static int64_t stride(const struct zc_analysis *analysis, LLVMValueRef value, int depth);

static int64_t times(int64_t stride, int64_t factor)
{
    const bool fits = stride != ZC_UNKNOWN_STRIDE && llabs(stride) < 1 << 20 && factor < 1 << 20;
    return fits ? stride * factor : ZC_UNKNOWN_STRIDE;
}

static int64_t sum(int64_t a, int64_t b)
{
    return a == ZC_UNKNOWN_STRIDE || b == ZC_UNKNOWN_STRIDE ? ZC_UNKNOWN_STRIDE : a + b;
}

static int64_t stride_of_product(const struct zc_analysis *analysis, LLVMValueRef value, int depth)
{
    LLVMValueRef factor = LLVMGetOperand(value, 1);
    if (!LLVMIsAConstantInt(factor)) {
        const bool is_same = stride(analysis, LLVMGetOperand(value, 0), depth) == 0 &&
                             stride(analysis, factor, depth) == 0;
        return is_same ? 0 : ZC_UNKNOWN_STRIDE;
    }
    const int64_t number = LLVMConstIntGetSExtValue(factor);
    const bool shifts = LLVMGetInstructionOpcode(value) == LLVMShl;
    if (shifts && (number < 0 || number > 20))
        return ZC_UNKNOWN_STRIDE;
    return times(stride(analysis, LLVMGetOperand(value, 0), depth), shifts ? 1 << number : number);
}

static int64_t stride_of_element(const struct zc_analysis *analysis, LLVMValueRef gep, int depth)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    int64_t result = stride(analysis, LLVMGetOperand(gep, 0), depth);
    for (int i = 1; i < LLVMGetNumOperands(gep); i++) {
        LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);
        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            type = LLVMStructGetTypeAtIndex(type, (unsigned)LLVMConstIntGetZExtValue(index));
            continue;
        }
        if (i > 1)
            type = LLVMGetElementType(type);
        const int64_t size = (int64_t)LLVMABISizeOfType(analysis->build->layout, type);
        result = sum(result, times(stride(analysis, index, depth), size));
    }
    return result;
}

static int64_t stride_of_load(const struct zc_analysis *analysis, LLVMValueRef load, int depth)
{
    unsigned word;
    if (zc_is_context_load(analysis->build, load, &word))
        return word == 0 ? 1 : word < 3 ? 0 : ZC_UNKNOWN_STRIDE;
    LLVMValueRef slot = LLVMGetOperand(load, 0);
    LLVMValueRef value = zc_is_slot(analysis, slot) ? only_value_of(slot) : NULL;
    return value != NULL ? stride(analysis, value, depth) : ZC_UNKNOWN_STRIDE;
}

static int64_t stride(const struct zc_analysis *analysis, LLVMValueRef value, int depth)
{
    if (!zc_is_varying(analysis, value))
        return 0;
    if (depth == 0 || !LLVMIsAInstruction(value))
        return ZC_UNKNOWN_STRIDE;
    LLVMValueRef first = LLVMGetNumOperands(value) > 0 ? LLVMGetOperand(value, 0) : NULL;
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMLoad:
        return stride_of_load(analysis, value, depth - 1);
    case LLVMGetElementPtr:
        return stride_of_element(analysis, value, depth - 1);
    case LLVMMul:
    case LLVMShl:
        return stride_of_product(analysis, value, depth - 1);
    case LLVMAdd:
        return sum(stride(analysis, first, depth - 1),
            stride(analysis, LLVMGetOperand(value, 1), depth - 1));
    case LLVMSub:
        return sum(stride(analysis, first, depth - 1),
            times(stride(analysis, LLVMGetOperand(value, 1), depth - 1), -1));
    case LLVMZExt:
    case LLVMSExt:
    case LLVMTrunc:
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
        return stride(analysis, first, depth - 1);
    default:
        return ZC_UNKNOWN_STRIDE;
    }
}

int64_t zc_stride_of(const struct zc_analysis *analysis, LLVMValueRef value)
{
    return stride(analysis, value, MAX_STRIDE_DEPTH);
}
