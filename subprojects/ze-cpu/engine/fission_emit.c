// SPDX-License-Identifier: MIT
//
// Makes a wrapper of regions. Of each region there are two copies:
//
//     start:   if nobody is left, end
//              the "lead": what is the same for all, once: uniform slots, and which region is next
//     items:   for each work-item: if it takes part, the whole region; once for each region that may be
//              next, without the ways that lead to others
//     leave:   on to the next region
//
// The lead makes the loop over work-items free of results and of branches that it does not need, so that
// LLVM can vectorise it. Uniform slots are known to each work-item as the lead found them; what it stores
// there is seen by itself alone, since the lead has stored the same.
//
// Slots that are kept are arrays with a place for each work-item. A kernel with barriers has them for the
// whole group in the worker's memory. One without barriers runs strips of ZC_STRIP work-items in x from
// start to end, with arrays on the stack.

#include "fission.h"

#include <stdlib.h>
#include <string.h>

struct storage {
    LLVMValueRef shared; // of a uniform slot: what the lead sees
    LLVMValueRef own;    // what a work-item sees
    LLVMValueRef array;  // of a kept slot: the first work-item's
};

// One byte for each work-item, 0 or a number.
struct flags {
    LLVMValueRef array;
};

struct emission {
    struct zc_build *build;
    struct zc_kernel_build *kernel;
    const struct zc_regions *regions;
    const struct zc_analysis *analysis;
    LLVMValueRef *arguments;
    bool in_strips;
    LLVMValueRef sizes[3];
    LLVMValueRef places; // of an array: work-items, rounded up to whole chunks
    LLVMValueRef ids[3]; // in a strip: y and z
    LLVMValueRef first;  // of the strip
    LLVMValueRef end;
    LLVMValueRef used; // bytes of the worker's memory for each work-item so far
    struct storage *storages;
    struct flags active;
    struct flags *inside; // for each meeting: who is in its loop
    struct flags *exits;  // likewise: by which exit each has left
    LLVMBasicBlockRef starts[ZC_MAX_REGIONS];
    LLVMBasicBlockRef done;
    uint64_t item_size; // bytes kept for a work-item
    bool failed;
};

// A copy of a region under way.
struct copy {
    struct emission *e;
    const struct zc_region *region;
    struct zc_map values;
    struct zc_map blocks; // from the body's to the wrapper's
    struct zc_map leaves; // likewise, for the first block of other regions
    LLVMBasicBlockRef end;
    LLVMValueRef index; // of the work-item in arrays
    uint32_t pending[ZC_MAX_BLOCKS];
    uint32_t pending_count;
    LLVMBasicBlockRef
        ways[ZC_MAX_REGIONS + 1]; // by which the lead leaves for each region; the last: the end
    uint32_t goal;                // of work-items: the region that the lead has found
    uint64_t *heads;              // blocks from which the goal can be reached
};

static LLVMBuilderRef builder_of(const struct emission *e)
{
    return e->build->builder;
}

static LLVMBasicBlockRef append(const struct emission *e, const char *name)
{
    return LLVMAppendBasicBlockInContext(e->build->context, e->kernel->wrapper, name);
}

static LLVMValueRef at(const struct emission *e, LLVMValueRef array, LLVMValueRef bytes)
{
    return LLVMBuildInBoundsGEP2(builder_of(e), e->build->types.i8, array, &bytes, 1, "");
}

static void mark_independent(const struct emission *e, LLVMValueRef access)
{
    zc_access_set_independent(e->build, access);
}

// Memory for each work-item, `size` bytes apart.
static LLVMValueRef add_array(struct emission *e, uint64_t size, const char *name)
{
    LLVMBuilderRef b = builder_of(e);
    e->item_size += size;
    if (e->in_strips) {
        LLVMTypeRef type = LLVMArrayType(e->build->types.i8, (unsigned)(size * ZC_STRIP));
        LLVMValueRef array = LLVMBuildAlloca(b, type, name);
        LLVMSetAlignment(array, ZC_ITEM_ALIGNMENT);
        return array;
    }
    LLVMValueRef array = at(e, LLVMGetParam(e->kernel->wrapper, ZC_WRAPPER_ITEMS), e->used);
    LLVMValueRef bytes = LLVMBuildMul(b, e->places, zc_const_i64(e->build, size), "");
    e->used = LLVMBuildAdd(b, e->used, bytes, "");
    return array;
}

static void clear(const struct emission *e, const struct flags *flags)
{
    if (flags->array != NULL)
        LLVMBuildMemSet(builder_of(e), flags->array, LLVMConstInt(e->build->types.i8, 0, false),
            e->places, ZC_ITEM_ALIGNMENT);
}

static void set_flag(
    const struct emission *e, const struct flags *flags, LLVMValueRef index, unsigned value)
{
    LLVMValueRef byte = LLVMConstInt(e->build->types.i8, value, false);
    mark_independent(e, LLVMBuildStore(builder_of(e), byte, at(e, flags->array, index)));
}

static LLVMValueRef get_flag(
    const struct emission *e, const struct flags *flags, LLVMValueRef index)
{
    LLVMValueRef load =
        LLVMBuildLoad2(builder_of(e), e->build->types.i8, at(e, flags->array, index), "");
    mark_independent(e, load);
    return load;
}

// Is a flag set? Looks at eight at a time.
static LLVMValueRef any_flag(struct emission *e, const struct flags *flags)
{
    LLVMBuilderRef b = builder_of(e);
    LLVMTypeRef i64 = e->build->types.i64;
    LLVMBasicBlockRef before = LLVMGetInsertBlock(b);
    LLVMBasicBlockRef loop = append(e, "any"), after = append(e, "any_known");
    LLVMValueRef zero = zc_const_i64(e->build, 0), step = zc_const_i64(e->build, 8);
    LLVMBuildBr(b, loop);
    LLVMPositionBuilderAtEnd(b, loop);
    LLVMValueRef place = LLVMBuildPhi(b, i64, "");
    LLVMValueRef sum = LLVMBuildPhi(b, i64, "");
    LLVMValueRef all =
        LLVMBuildOr(b, sum, LLVMBuildLoad2(b, i64, at(e, flags->array, place), ""), "");
    LLVMValueRef next = LLVMBuildAdd(b, place, step, "");
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntULT, next, e->places, ""), loop, after);
    LLVMAddIncoming(place, (LLVMValueRef[]){zero, next}, (LLVMBasicBlockRef[]){before, loop}, 2);
    LLVMAddIncoming(sum, (LLVMValueRef[]){zero, all}, (LLVMBasicBlockRef[]){before, loop}, 2);
    LLVMPositionBuilderAtEnd(b, after);
    return LLVMBuildICmp(b, LLVMIntNE, all, zero, "any");
}

static LLVMValueRef add_variable(const struct emission *e, const struct zc_slot *slot)
{
    LLVMValueRef variable =
        LLVMBuildAlloca(builder_of(e), LLVMGetAllocatedType(slot->variable), "");
    LLVMSetAlignment(variable, LLVMGetAlignment(slot->variable));
    return variable;
}

static void add_storages(struct emission *e)
{
    for (uint32_t n = 0; n < e->regions->slot_count; n++) {
        const struct zc_slot *slot = &e->regions->slots[n];
        struct storage *storage = &e->storages[n];
        if (!slot->is_varying)
            storage->shared = add_variable(e, slot);
        if (slot->is_varying && slot->is_kept)
            storage->array = add_array(e, slot->size, "kept");
        else
            storage->own = add_variable(e, slot);
    }
}

static void add_flags(struct emission *e)
{
    if (e->regions->ends_early)
        e->active.array = add_array(e, 1, "active");
    for (uint32_t m = 0; m < e->analysis->meeting_count; m++) {
        const struct zc_meeting *meeting = &e->analysis->meetings[m];
        if (meeting->is_dropped || !meeting->leaves_apart)
            continue;
        e->inside[m].array = add_array(e, 1, "inside");
        e->exits[m].array = add_array(e, 1, "exit");
    }
}

static void clear_flags(const struct emission *e)
{
    clear(e, &e->active);
    for (uint32_t m = 0; m < e->analysis->meeting_count; m++)
        clear(e, &e->inside[m]);
}

// The storage of the array that an access is to; NULL: it is to something else.
static const struct storage *array_of(const struct emission *e, LLVMValueRef address)
{
    const struct zc_slot *slot = zc_slot_of(e->regions, address);
    const struct storage *storage = slot != NULL ? &e->storages[slot - e->regions->slots] : NULL;
    return storage != NULL && storage->array != NULL ? storage : NULL;
}

static LLVMValueRef mapped(const struct copy *copy, LLVMValueRef value)
{
    LLVMValueRef other = zc_map_get(&copy->values, value);
    return other != NULL ? other : value;
}

// LLVM does not vectorise memory of single bits.
static LLVMValueRef copy_access_of_bit(struct copy *copy, LLVMValueRef access)
{
    LLVMBuilderRef b = builder_of(copy->e);
    const struct zc_types *types = &copy->e->build->types;
    if (LLVMIsALoadInst(access)) {
        LLVMValueRef byte =
            LLVMBuildLoad2(b, types->i8, mapped(copy, LLVMGetOperand(access, 0)), "");
        mark_independent(copy->e, byte);
        return LLVMBuildTrunc(b, byte, types->i1, "");
    }
    LLVMValueRef byte = LLVMBuildZExt(b, mapped(copy, LLVMGetOperand(access, 0)), types->i8, "");
    LLVMValueRef store = LLVMBuildStore(b, byte, mapped(copy, LLVMGetOperand(access, 1)));
    mark_independent(copy->e, store);
    return store;
}

static bool is_access_of_bit(const struct copy *copy, LLVMValueRef i)
{
    LLVMTypeRef i1 = copy->e->build->types.i1;
    if (LLVMIsALoadInst(i))
        return LLVMTypeOf(i) == i1 && array_of(copy->e, LLVMGetOperand(i, 0)) != NULL;
    return LLVMIsAStoreInst(i) && LLVMTypeOf(LLVMGetOperand(i, 0)) == i1 &&
           array_of(copy->e, LLVMGetOperand(i, 1)) != NULL;
}

static bool is_access_of_array(const struct copy *copy, LLVMValueRef i)
{
    if (LLVMIsALoadInst(i))
        return array_of(copy->e, LLVMGetOperand(i, 0)) != NULL;
    return LLVMIsAStoreInst(i) && array_of(copy->e, LLVMGetOperand(i, 1)) != NULL;
}

static LLVMValueRef clone(struct copy *copy, LLVMValueRef instruction)
{
    LLVMValueRef result = LLVMInstructionClone(instruction);
    for (int n = 0; n < LLVMGetNumOperands(instruction); n++) {
        LLVMValueRef operand = LLVMGetOperand(instruction, (unsigned)n);
        if (operand != NULL && !LLVMValueIsBasicBlock(operand))
            LLVMSetOperand(result, (unsigned)n, mapped(copy, operand));
    }
    LLVMInsertIntoBuilder(builder_of(copy->e), result);
    return result;
}

static void copy_instruction(struct copy *copy, LLVMValueRef instruction)
{
    LLVMValueRef result;
    if (LLVMIsAAllocaInst(instruction))
        return;
    if (zc_is_context_call(instruction)) {
        result = LLVMBuildAddrSpaceCast(
            builder_of(copy->e), copy->e->kernel->context, LLVMTypeOf(instruction), "");
    } else if (is_access_of_bit(copy, instruction)) {
        result = copy_access_of_bit(copy, instruction);
    } else {
        result = clone(copy, instruction);
        if (is_access_of_array(copy, instruction))
            mark_independent(copy->e, result);
    }
    zc_map_put(&copy->values, instruction, result);
}

static void start_copy(struct copy *copy, struct emission *e, const struct zc_region *region)
{
    *copy = (struct copy){.e = e, .region = region};
    for (unsigned i = 0; i < e->kernel->info->argument_count; i++)
        zc_map_put(&copy->values, LLVMGetParam(e->kernel->body, i), e->arguments[i]);
}

static void finish_copy(struct copy *copy)
{
    copy->e->failed |= copy->values.failed || copy->blocks.failed || copy->leaves.failed;
    zc_map_finish(&copy->values);
    zc_map_finish(&copy->blocks);
    zc_map_finish(&copy->leaves);
}

// The copy of a block of this region, which may have to be filled later.
static LLVMBasicBlockRef block_for(struct copy *copy, uint32_t number)
{
    LLVMBasicBlockRef original = copy->e->analysis->flow.blocks[number];
    LLVMBasicBlockRef block = zc_map_get(&copy->blocks, original);
    if (block != NULL)
        return block;
    block = append(copy->e, "");
    zc_map_put(&copy->blocks, original, block);
    copy->pending[copy->pending_count++] = number;
    return block;
}

// The block in which the lead ends when it goes on to that region.
static LLVMBasicBlockRef lead_leave(struct copy *copy, uint32_t region)
{
    if (copy->ways[region] == NULL)
        copy->ways[region] = append(copy->e, "items");
    return copy->ways[region];
}

static LLVMBasicBlockRef lead_target(struct copy *copy, uint32_t number)
{
    if (number == ZC_NO_BLOCK)
        return lead_leave(copy, ZC_MAX_REGIONS);
    const uint32_t region = zc_region_entered(copy->e->regions, number);
    return region < ZC_MAX_REGIONS ? lead_leave(copy, region) : block_for(copy, number);
}

// Where all meet again after a block at which they part.
static uint32_t where_they_meet(const struct zc_flow *flow, uint32_t block)
{
    uint32_t only = ZC_NO_BLOCK;
    uint32_t ways = 0;
    for (uint32_t s = 0; s < zc_flow_successor_count(flow, block); s++) {
        if (zc_flow_is_return(flow, block, s))
            continue;
        only = zc_flow_successor(flow, block, s);
        ways++;
    }
    return ways == 1 ? only : zc_flow_next_post_dominator(flow, block);
}

static void end_lead_block(struct copy *copy, uint32_t number)
{
    const struct zc_flow *flow = &copy->e->analysis->flow;
    LLVMBuilderRef b = builder_of(copy->e);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(flow->blocks[number]);
    const uint32_t count = zc_flow_successor_count(flow, number);
    if (count == 0) {
        LLVMBuildBr(b, lead_leave(copy, ZC_MAX_REGIONS));
    } else if (count == 1) {
        LLVMBuildBr(b, lead_target(copy, zc_flow_successor(flow, number, 0)));
    } else if (!zc_branches_together(copy->e->analysis, number)) {
        LLVMBuildBr(b, lead_target(copy, where_they_meet(flow, number)));
    } else {
        LLVMValueRef branch = clone(copy, end);
        for (uint32_t s = 0; s < count; s++)
            LLVMSetSuccessor(branch, s, lead_target(copy, zc_flow_successor(flow, number, s)));
    }
}

// Does the lead need it? What only computes and is the same for all.
static bool is_for_lead(const struct copy *copy, LLVMValueRef instruction)
{
    const struct zc_analysis *analysis = copy->e->analysis;
    if (LLVMIsAStoreInst(instruction)) {
        LLVMValueRef slot = LLVMGetOperand(instruction, 1);
        return zc_is_slot(analysis, slot) && !zc_is_varying(analysis, slot);
    }
    return !zc_is_varying(analysis, instruction) && !LLVMIsAFenceInst(instruction) &&
           LLVMGetTypeKind(LLVMTypeOf(instruction)) != LLVMVoidTypeKind;
}

static void copy_lead_block(struct copy *copy, uint32_t number)
{
    LLVMBasicBlockRef original = copy->e->analysis->flow.blocks[number];
    LLVMValueRef end = LLVMGetBasicBlockTerminator(original);
    LLVMPositionBuilderAtEnd(builder_of(copy->e), zc_map_get(&copy->blocks, original));
    for (LLVMValueRef i = LLVMGetFirstInstruction(original); i != end;
         i = LLVMGetNextInstruction(i)) {
        if (is_for_lead(copy, i))
            copy_instruction(copy, i);
    }
    end_lead_block(copy, number);
}

static void emit_lead(struct copy *copy)
{
    struct emission *e = copy->e;
    const struct zc_region *region = copy->region;
    for (uint32_t n = 0; n < e->regions->slot_count; n++) {
        if (e->storages[n].shared != NULL)
            zc_map_put(&copy->values, e->regions->slots[n].variable, e->storages[n].shared);
    }
    const bool one_way_in = region->entry_count == 1;
    const uint32_t first =
        one_way_in ? region->entries[0] : zc_meeting_end(e->analysis, region->behind);
    LLVMBuildBr(builder_of(e), one_way_in ? block_for(copy, first) : lead_target(copy, first));
    while (copy->pending_count > 0)
        copy_lead_block(copy, copy->pending[--copy->pending_count]);
}

static uint32_t number_of(const struct emission *e, const struct zc_meeting *meeting)
{
    return (uint32_t)(meeting - e->analysis->meetings);
}

// What a work-item notes when it goes to another region.
static void note_leaving(struct copy *copy, uint32_t target, uint32_t region_number)
{
    struct emission *e = copy->e;
    const struct zc_region *region = &e->regions->list[region_number];
    if (region->inside != NULL && region != copy->region)
        set_flag(e, &e->inside[number_of(e, region->inside)], copy->index, 1);
    if (region->behind != NULL && copy->region->inside == region->behind) {
        const uint32_t m = number_of(e, region->behind);
        set_flag(e, &e->inside[m], copy->index, 0);
        set_flag(e, &e->exits[m], copy->index, zc_region_entry_number(region, target));
    }
}

static LLVMBasicBlockRef item_target(struct copy *copy, uint32_t number)
{
    struct emission *e = copy->e;
    const uint32_t region = zc_region_entered(e->regions, number);
    if (region == ZC_MAX_REGIONS)
        return block_for(copy, number);
    LLVMBasicBlockRef original = e->analysis->flow.blocks[number];
    LLVMBasicBlockRef block = zc_map_get(&copy->leaves, original);
    if (block != NULL)
        return block;
    LLVMBasicBlockRef here = LLVMGetInsertBlock(builder_of(e));
    block = append(e, "item_leaves");
    zc_map_put(&copy->leaves, original, block);
    LLVMPositionBuilderAtEnd(builder_of(e), block);
    note_leaving(copy, number, region);
    LLVMBuildBr(builder_of(e), copy->end);
    LLVMPositionBuilderAtEnd(builder_of(e), here);
    return block;
}

static void end_work_item(struct copy *copy)
{
    struct emission *e = copy->e;
    if (e->active.array != NULL)
        set_flag(e, &e->active, copy->index, 0);
    if (copy->region->inside != NULL)
        set_flag(e, &e->inside[number_of(e, copy->region->inside)], copy->index, 0);
    LLVMBuildBr(builder_of(e), copy->end);
}

// Can a work-item that goes there come to the goal?
static bool can_come(const struct copy *copy, uint32_t block)
{
    const uint32_t region = zc_region_entered(copy->e->regions, block);
    return region < ZC_MAX_REGIONS ? region == copy->goal : zc_set_has(copy->heads, block);
}

static bool heads_for_goal(const struct copy *copy, uint32_t block)
{
    const struct zc_flow *flow = &copy->e->analysis->flow;
    const uint32_t count = zc_flow_successor_count(flow, block);
    bool heads = count == 0 && copy->goal == ZC_MAX_REGIONS;
    for (uint32_t s = 0; s < count; s++)
        heads |= can_come(copy, zc_flow_successor(flow, block, s));
    return heads;
}

static void find_heads(struct copy *copy)
{
    const struct zc_flow *flow = &copy->e->analysis->flow;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = flow->count; b-- > 0;) {
            if (!zc_set_has(copy->region->blocks, b) || zc_set_has(copy->heads, b) ||
                !heads_for_goal(copy, b))
                continue;
            zc_set_add(copy->heads, b);
            changed = true;
        }
    }
}

// Where all go the same way, and only one leads to the goal, the lead has gone that. ZC_NO_BLOCK: who
// knows.
static uint32_t only_way(const struct copy *copy, uint32_t block)
{
    const struct zc_analysis *analysis = copy->e->analysis;
    uint32_t way = ZC_NO_BLOCK;
    if (copy->heads == NULL || zc_set_has(analysis->divergent, block) ||
        !zc_branches_together(analysis, block))
        return ZC_NO_BLOCK;
    for (uint32_t s = 0; s < zc_flow_successor_count(&analysis->flow, block); s++) {
        const uint32_t next = zc_flow_successor(&analysis->flow, block, s);
        if (!can_come(copy, next))
            continue;
        if (way != ZC_NO_BLOCK && way != next)
            return ZC_NO_BLOCK;
        way = next;
    }
    return way;
}

static void copy_item_branch(struct copy *copy, uint32_t number)
{
    const struct zc_flow *flow = &copy->e->analysis->flow;
    const uint32_t way = only_way(copy, number);
    if (way != ZC_NO_BLOCK) {
        LLVMBuildBr(builder_of(copy->e), item_target(copy, way));
        return;
    }
    LLVMValueRef branch = clone(copy, LLVMGetBasicBlockTerminator(flow->blocks[number]));
    for (uint32_t s = 0; s < zc_flow_successor_count(flow, number); s++)
        LLVMSetSuccessor(branch, s, item_target(copy, zc_flow_successor(flow, number, s)));
}

static void copy_item_block(struct copy *copy, uint32_t number)
{
    const struct zc_flow *flow = &copy->e->analysis->flow;
    LLVMBasicBlockRef original = flow->blocks[number];
    LLVMValueRef end = LLVMGetBasicBlockTerminator(original);
    LLVMValueRef wait = zc_wait_of(original);
    LLVMPositionBuilderAtEnd(builder_of(copy->e), zc_map_get(&copy->blocks, original));
    for (LLVMValueRef i = LLVMGetFirstInstruction(original); i != end;
         i = LLVMGetNextInstruction(i)) {
        if (i != wait)
            copy_instruction(copy, i);
    }
    if (wait != NULL) {
        LLVMBuildBr(builder_of(copy->e), item_target(copy, zc_flow_successor(flow, number, 0)));
    } else if (LLVMIsAReturnInst(end)) {
        end_work_item(copy);
    } else {
        copy_item_branch(copy, number);
    }
}

static bool is_used_in(
    const struct emission *e, const struct zc_region *region, LLVMValueRef variable)
{
    for (LLVMUseRef use = LLVMGetFirstUse(variable); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMBasicBlockRef block = LLVMGetInstructionParent(LLVMGetUser(use));
        const uint32_t number = zc_flow_number(&e->analysis->flow, block);
        if (number != ZC_NO_BLOCK && zc_set_has(region->blocks, number))
            return true;
    }
    return false;
}

// What the slots are for this work-item. `seen` has the uniform ones as they were before the lead.
static void give_slots(struct copy *copy, LLVMValueRef *seen)
{
    struct emission *e = copy->e;
    for (uint32_t n = 0; n < e->regions->slot_count; n++) {
        const struct zc_slot *slot = &e->regions->slots[n];
        const struct storage *storage = &e->storages[n];
        if (!is_used_in(e, copy->region, slot->variable))
            continue;
        LLVMValueRef place = storage->own;
        if (storage->array != NULL)
            place = at(e, storage->array,
                LLVMBuildMul(builder_of(e), copy->index, zc_const_i64(e->build, slot->size), ""));
        else if (seen[n] != NULL)
            LLVMBuildStore(builder_of(e), seen[n], place);
        zc_map_put(&copy->values, slot->variable, place);
    }
}

static LLVMValueRef *look_at_uniform_slots(struct emission *e, const struct zc_region *region)
{
    LLVMValueRef *seen = calloc(e->regions->slot_count + 1, sizeof(LLVMValueRef));
    for (uint32_t n = 0; seen != NULL && n < e->regions->slot_count; n++) {
        LLVMValueRef variable = e->regions->slots[n].variable;
        if (e->storages[n].shared != NULL && e->regions->slots[n].is_kept &&
            is_used_in(e, region, variable))
            seen[n] = LLVMBuildLoad2(
                builder_of(e), LLVMGetAllocatedType(variable), e->storages[n].shared, "uniform");
    }
    e->failed |= seen == NULL;
    return seen;
}

// Who takes part in the region; NULL: all.
static const struct flags *members_of(const struct emission *e, const struct zc_region *region)
{
    if (region->inside != NULL)
        return &e->inside[number_of(e, region->inside)];
    return region != e->regions->list && e->active.array != NULL ? &e->active : NULL;
}

// The first region notes that the work-item is there.
static void greet(struct copy *copy)
{
    if (copy->region == copy->e->regions->list && copy->e->active.array != NULL)
        set_flag(copy->e, &copy->e->active, copy->index, 1);
}

// Enters the region where this work-item has left the loop before it.
static void enter(struct copy *copy)
{
    struct emission *e = copy->e;
    LLVMBuilderRef b = builder_of(e);
    const struct zc_region *region = copy->region;
    LLVMValueRef exit = region->entry_count > 1
                            ? get_flag(e, &e->exits[number_of(e, region->behind)], copy->index)
                            : NULL;
    for (uint32_t i = 0; i + 1 < region->entry_count; i++) {
        LLVMBasicBlockRef other = append(e, "other_exit");
        LLVMValueRef is_this =
            LLVMBuildICmp(b, LLVMIntEQ, exit, LLVMConstInt(e->build->types.i8, i, false), "");
        LLVMBuildCondBr(b, is_this, block_for(copy, region->entries[i]), other);
        LLVMPositionBuilderAtEnd(b, other);
    }
    LLVMBuildBr(b, block_for(copy, region->entries[region->entry_count - 1]));
}

static void emit_item(struct copy *copy, LLVMValueRef *seen)
{
    struct emission *e = copy->e;
    LLVMBuilderRef b = builder_of(e);
    const struct flags *members = members_of(e, copy->region);
    copy->end = append(e, "next_item");
    give_slots(copy, seen);
    greet(copy);
    if (members != NULL) {
        LLVMBasicBlockRef body = append(e, "member");
        LLVMValueRef is_member = LLVMBuildICmp(b, LLVMIntNE, get_flag(e, members, copy->index),
            LLVMConstInt(e->build->types.i8, 0, false), "");
        LLVMBuildCondBr(b, is_member, body, copy->end);
        LLVMPositionBuilderAtEnd(b, body);
    }
    enter(copy);
    while (copy->pending_count > 0)
        copy_item_block(copy, copy->pending[--copy->pending_count]);
    LLVMPositionBuilderAtEnd(b, copy->end);
}

static LLVMValueRef index_in_group(const struct emission *e, const struct zc_loop *loops)
{
    LLVMBuilderRef b = builder_of(e);
    LLVMValueRef rows = LLVMBuildMul(b, e->sizes[1], loops[2].index, "");
    rows = LLVMBuildAdd(b, rows, loops[1].index, "");
    return LLVMBuildAdd(b, LLVMBuildMul(b, rows, e->sizes[0], ""), loops[0].index, "index");
}

static void store_id(const struct emission *e, unsigned dimension, LLVMValueRef id)
{
    LLVMBuildStore(
        builder_of(e), id, zc_context_word(e->build, e->kernel, ZC_CONTEXT_LOCAL_ID + dimension));
}

static void emit_items(struct copy *copy, LLVMValueRef *seen)
{
    struct emission *e = copy->e;
    struct zc_loop loops[3];
    for (unsigned d = e->in_strips ? 1 : 3; d-- > 0;) {
        loops[d] = e->in_strips ? zc_loop_open(e->build, e->kernel->wrapper, e->first, e->end, 1)
                                : zc_loop_open(e->build, e->kernel->wrapper,
                                      zc_const_i64(e->build, 0), e->sizes[d], 1);
        store_id(e, d, loops[d].index);
    }
    copy->index = e->in_strips ? LLVMBuildSub(builder_of(e), loops[0].index, e->first, "index")
                               : index_in_group(e, loops);
    emit_item(copy, seen);
    for (unsigned d = 0; d < (e->in_strips ? 1 : 3); d++)
        zc_loop_close(e->build, e->kernel->wrapper, &loops[d], true);
}

static LLVMBasicBlockRef start_of(const struct emission *e, uint32_t region)
{
    return region < ZC_MAX_REGIONS ? e->starts[region] : e->done;
}

static uint32_t region_behind(const struct emission *e, const struct zc_meeting *meeting)
{
    uint32_t r = 0;
    while (r < e->regions->count && e->regions->list[r].behind != meeting)
        r++;
    return r;
}

// One round of a loop for those who are still in it, until nobody is.
static void emit_round(struct emission *e, const struct zc_region *region, uint32_t number)
{
    struct copy items;
    LLVMValueRef *seen = look_at_uniform_slots(e, region);
    start_copy(&items, e, region);
    if (seen != NULL)
        emit_items(&items, seen);
    free(seen);
    finish_copy(&items);
    LLVMValueRef again = any_flag(e, members_of(e, region));
    LLVMBuildCondBr(
        builder_of(e), again, e->starts[number], e->starts[region_behind(e, region->inside)]);
}

static void end_if_nobody_is_left(struct emission *e)
{
    LLVMBasicBlockRef some = append(e, "some");
    LLVMBuildCondBr(builder_of(e), any_flag(e, &e->active), some, e->done);
    LLVMPositionBuilderAtEnd(builder_of(e), some);
}

static void emit_items_for(
    struct emission *e, const struct zc_region *region, uint32_t goal, LLVMValueRef *seen)
{
    struct copy items;
    start_copy(&items, e, region);
    items.goal = goal;
    items.heads = calloc(e->analysis->flow.words, sizeof(uint64_t));
    if (items.heads != NULL)
        find_heads(&items);
    emit_items(&items, seen);
    free(items.heads);
    finish_copy(&items);
}

static void emit_region(struct emission *e, uint32_t number)
{
    const struct zc_region *region = &e->regions->list[number];
    LLVMPositionBuilderAtEnd(builder_of(e), e->starts[number]);
    if (region->inside != NULL) {
        emit_round(e, region, number);
        return;
    }
    if (number > 0 && e->active.array != NULL)
        end_if_nobody_is_left(e);
    struct copy lead;
    LLVMValueRef *seen = look_at_uniform_slots(e, region);
    start_copy(&lead, e, region);
    emit_lead(&lead);
    for (uint32_t goal = 0; seen != NULL && goal <= ZC_MAX_REGIONS; goal++) {
        if (lead.ways[goal] == NULL)
            continue;
        LLVMPositionBuilderAtEnd(builder_of(e), lead.ways[goal]);
        emit_items_for(e, region, goal, seen);
        LLVMBuildBr(builder_of(e), start_of(e, goal));
    }
    free(seen);
    finish_copy(&lead);
}

static void measure(struct emission *e)
{
    LLVMBuilderRef b = builder_of(e);
    for (unsigned d = 0; d < 3; d++)
        e->sizes[d] = zc_group_size(e->build, e->kernel, d);
    e->used = zc_const_i64(e->build, 0);
    if (e->in_strips) {
        e->places = zc_const_i64(e->build, ZC_STRIP);
        return;
    }
    LLVMValueRef items = LLVMBuildMul(b, e->sizes[0], e->sizes[1], "");
    items = LLVMBuildMul(b, items, e->sizes[2], "items");
    LLVMValueRef more = zc_const_i64(e->build, ZC_ITEM_ALIGNMENT - 1);
    e->places = LLVMBuildAnd(b, LLVMBuildAdd(b, items, more, ""), LLVMBuildNot(b, more, ""), "");
}

static void begin(struct emission *e)
{
    LLVMBuilderRef b = builder_of(e);
    LLVMPositionBuilderAtEnd(b, append(e, "entry"));
    zc_wrapper_copy_context(e->build, e->kernel);
    zc_arguments_load(e->build, e->kernel, e->arguments);
    measure(e);
    add_storages(e);
    add_flags(e);
    for (uint32_t r = 0; r < e->regions->count; r++)
        e->starts[r] = append(e, "region");
    e->done = append(e, "done");
}

static void emit_regions(struct emission *e)
{
    clear_flags(e);
    LLVMBuildBr(builder_of(e), e->starts[0]);
    for (uint32_t r = 0; r < e->regions->count; r++)
        emit_region(e, r);
    LLVMPositionBuilderAtEnd(builder_of(e), e->done);
}

static void emit_strips(struct emission *e)
{
    LLVMBuilderRef b = builder_of(e);
    LLVMValueRef zero = zc_const_i64(e->build, 0), length = zc_const_i64(e->build, ZC_STRIP);
    struct zc_loop loops[3];
    for (unsigned d = 3; d-- > 0;) {
        loops[d] =
            zc_loop_open(e->build, e->kernel->wrapper, zero, e->sizes[d], d > 0 ? 1 : ZC_STRIP);
        if (d > 0)
            store_id(e, d, loops[d].index);
    }
    e->first = loops[0].index;
    LLVMValueRef end = LLVMBuildAdd(b, e->first, length, "");
    LLVMValueRef is_whole = LLVMBuildICmp(b, LLVMIntULT, end, e->sizes[0], "");
    e->end = LLVMBuildSelect(b, is_whole, end, e->sizes[0], "end");
    emit_regions(e);
    for (unsigned d = 0; d < 3; d++) // strips use the same arrays
        zc_loop_close(e->build, e->kernel->wrapper, &loops[d], false);
}

static void emit(struct emission *e)
{
    begin(e);
    if (e->in_strips)
        emit_strips(e);
    else
        emit_regions(e);
    LLVMBuildRetVoid(builder_of(e));
    if (!e->in_strips)
        e->kernel->info->private_size = (uint32_t)e->item_size;
}

bool zc_fission_emit(
    struct zc_build *build, struct zc_kernel_build *kernel, const struct zc_regions *regions)
{
    const struct zc_analysis *analysis = regions->analysis;
    struct emission e = {.build = build,
        .kernel = kernel,
        .regions = regions,
        .analysis = analysis,
        .in_strips = !kernel->info->has_barrier};
    e.arguments = calloc(kernel->info->argument_count + 1, sizeof(*e.arguments));
    e.storages = calloc(regions->slot_count + 1, sizeof(*e.storages));
    e.inside = calloc(analysis->meeting_count + 1, sizeof(*e.inside));
    e.exits = calloc(analysis->meeting_count + 1, sizeof(*e.exits));
    kernel->wrapper = zc_wrapper_add(build, kernel, build->types.void_type);
    e.failed = e.arguments == NULL || e.storages == NULL || e.inside == NULL || e.exits == NULL ||
               kernel->wrapper == NULL;
    if (!e.failed)
        emit(&e);
    free(e.arguments);
    free(e.storages);
    free(e.inside);
    free(e.exits);
    return !e.failed;
}
