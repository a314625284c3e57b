// SPDX-License-Identifier: MIT
//
// The loop of a region over work-items.

#include "emission.h"

#include <stdlib.h>

void zc_emit_id(const struct zc_emission *e, unsigned dimension, LLVMValueRef id)
{
    LLVMBuildStore(zc_builder_of(e), id,
        zc_context_word(e->build, e->kernel, ZC_CONTEXT_LOCAL_ID + dimension));
}

// What a work-item notes when it goes to another region.
static void note_leaving(struct zc_copy *copy, uint32_t target, uint32_t region_number)
{
    struct zc_emission *e = copy->e;
    const struct zc_region *region = &e->regions->list[region_number];
    if (region->inside != NULL && region != copy->region)
        zc_flag_set(e, &e->inside[zc_meeting_number(e, region->inside)], copy->index, 1);
    if (region->behind != NULL && copy->region->inside == region->behind) {
        const uint32_t m = zc_meeting_number(e, region->behind);
        zc_flag_set(e, &e->inside[m], copy->index, 0);
        zc_flag_set(e, &e->exits[m], copy->index, zc_region_entry_number(region, target));
    }
}

static LLVMBasicBlockRef item_target(struct zc_copy *copy, uint32_t number)
{
    struct zc_emission *e = copy->e;
    const uint32_t region = zc_region_entered(e->regions, number);
    if (region == ZC_MAX_REGIONS)
        return zc_copy_block(copy, number);
    LLVMBasicBlockRef original = e->analysis->flow.blocks[number];
    LLVMBasicBlockRef block = zc_map_get(&copy->leaves, original);
    if (block != NULL)
        return block;
    LLVMBasicBlockRef here = LLVMGetInsertBlock(zc_builder_of(e));
    block = zc_emit_block(e, "item_leaves");
    zc_map_put(&copy->leaves, original, block);
    LLVMPositionBuilderAtEnd(zc_builder_of(e), block);
    note_leaving(copy, number, region);
    LLVMBuildBr(zc_builder_of(e), copy->end);
    LLVMPositionBuilderAtEnd(zc_builder_of(e), here);
    return block;
}

static void end_work_item(struct zc_copy *copy)
{
    struct zc_emission *e = copy->e;
    if (e->active.array != NULL)
        zc_flag_set(e, &e->active, copy->index, 0);
    if (copy->region->inside != NULL)
        zc_flag_set(e, &e->inside[zc_meeting_number(e, copy->region->inside)], copy->index, 0);
    LLVMBuildBr(zc_builder_of(e), copy->end);
}

// Can a work-item that goes there come to the goal?
static bool can_come(const struct zc_copy *copy, uint32_t block)
{
    const uint32_t region = zc_region_entered(copy->e->regions, block);
    return region < ZC_MAX_REGIONS ? region == copy->goal : zc_set_has(copy->heads, block);
}

static bool heads_for_goal(const struct zc_copy *copy, uint32_t block)
{
    const struct zc_flow *flow = &copy->e->analysis->flow;
    const uint32_t count = zc_flow_successor_count(flow, block);
    bool heads = count == 0 && copy->goal == ZC_MAX_REGIONS;
    for (uint32_t s = 0; s < count; s++)
        heads |= can_come(copy, zc_flow_successor(flow, block, s));
    return heads;
}

static void find_heads(struct zc_copy *copy)
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
static uint32_t only_way(const struct zc_copy *copy, uint32_t block)
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

static void copy_item_branch(struct zc_copy *copy, uint32_t number)
{
    const struct zc_flow *flow = &copy->e->analysis->flow;
    const uint32_t way = only_way(copy, number);
    if (way != ZC_NO_BLOCK) {
        LLVMBuildBr(zc_builder_of(copy->e), item_target(copy, way));
        return;
    }
    LLVMValueRef branch = zc_copy_clone(copy, LLVMGetBasicBlockTerminator(flow->blocks[number]));
    for (uint32_t s = 0; s < zc_flow_successor_count(flow, number); s++)
        LLVMSetSuccessor(branch, s, item_target(copy, zc_flow_successor(flow, number, s)));
}

static void copy_item_block(struct zc_copy *copy, uint32_t number)
{
    const struct zc_flow *flow = &copy->e->analysis->flow;
    LLVMBasicBlockRef original = flow->blocks[number];
    LLVMValueRef end = LLVMGetBasicBlockTerminator(original);
    LLVMValueRef wait = zc_wait_of(original);
    LLVMPositionBuilderAtEnd(zc_builder_of(copy->e), zc_map_get(&copy->blocks, original));
    for (LLVMValueRef i = LLVMGetFirstInstruction(original); i != end;
         i = LLVMGetNextInstruction(i)) {
        if (i != wait)
            zc_copy_instruction(copy, i);
    }
    if (wait != NULL) {
        LLVMBuildBr(zc_builder_of(copy->e), item_target(copy, zc_flow_successor(flow, number, 0)));
    } else if (LLVMIsAReturnInst(end)) {
        end_work_item(copy);
    } else {
        copy_item_branch(copy, number);
    }
}

bool zc_is_used_in(
    const struct zc_emission *e, const struct zc_region *region, LLVMValueRef variable)
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
static void give_slots(struct zc_copy *copy, LLVMValueRef *seen)
{
    struct zc_emission *e = copy->e;
    for (uint32_t n = 0; n < e->regions->slot_count; n++) {
        const struct zc_slot *slot = &e->regions->slots[n];
        const struct zc_storage *storage = &e->storages[n];
        if (!zc_is_used_in(e, copy->region, slot->variable))
            continue;
        LLVMValueRef place = storage->own;
        if (storage->array != NULL)
            place = zc_emit_address(e, storage->array,
                LLVMBuildMul(
                    zc_builder_of(e), copy->index, zc_const_i64(e->build, slot->size), ""));
        else if (seen[n] != NULL)
            LLVMBuildStore(zc_builder_of(e), seen[n], place);
        zc_map_put(&copy->values, slot->variable, place);
    }
}

// Who takes part in the region; NULL: all.
const struct zc_flags *zc_members_of(const struct zc_emission *e, const struct zc_region *region)
{
    if (region->inside != NULL)
        return &e->inside[zc_meeting_number(e, region->inside)];
    return region != e->regions->list && e->active.array != NULL ? &e->active : NULL;
}

// The first region notes that the work-item is there.
static void greet(struct zc_copy *copy)
{
    if (copy->region == copy->e->regions->list && copy->e->active.array != NULL)
        zc_flag_set(copy->e, &copy->e->active, copy->index, 1);
}

// Enters the region where this work-item has left the loop before it.
static void enter(struct zc_copy *copy)
{
    struct zc_emission *e = copy->e;
    LLVMBuilderRef b = zc_builder_of(e);
    const struct zc_region *region = copy->region;
    LLVMValueRef exit =
        region->entry_count > 1
            ? zc_flag_get(e, &e->exits[zc_meeting_number(e, region->behind)], copy->index)
            : NULL;
    for (uint32_t i = 0; i + 1 < region->entry_count; i++) {
        LLVMBasicBlockRef other = zc_emit_block(e, "other_exit");
        LLVMValueRef is_this =
            LLVMBuildICmp(b, LLVMIntEQ, exit, LLVMConstInt(e->build->types.i8, i, false), "");
        LLVMBuildCondBr(b, is_this, zc_copy_block(copy, region->entries[i]), other);
        LLVMPositionBuilderAtEnd(b, other);
    }
    LLVMBuildBr(b, zc_copy_block(copy, region->entries[region->entry_count - 1]));
}

static void emit_item(struct zc_copy *copy, LLVMValueRef *seen)
{
    struct zc_emission *e = copy->e;
    LLVMBuilderRef b = zc_builder_of(e);
    const struct zc_flags *members = zc_members_of(e, copy->region);
    copy->end = zc_emit_block(e, "next_item");
    give_slots(copy, seen);
    greet(copy);
    if (members != NULL) {
        LLVMBasicBlockRef body = zc_emit_block(e, "member");
        LLVMValueRef is_member = LLVMBuildICmp(b, LLVMIntNE, zc_flag_get(e, members, copy->index),
            LLVMConstInt(e->build->types.i8, 0, false), "");
        LLVMBuildCondBr(b, is_member, body, copy->end);
        LLVMPositionBuilderAtEnd(b, body);
    }
    enter(copy);
    while (copy->pending_count > 0)
        copy_item_block(copy, copy->pending[--copy->pending_count]);
    LLVMPositionBuilderAtEnd(b, copy->end);
}

static LLVMValueRef index_in_group(const struct zc_emission *e, const struct zc_loop *loops)
{
    LLVMBuilderRef b = zc_builder_of(e);
    LLVMValueRef rows = LLVMBuildMul(b, e->sizes[1], loops[2].index, "");
    rows = LLVMBuildAdd(b, rows, loops[1].index, "");
    return LLVMBuildAdd(b, LLVMBuildMul(b, rows, e->sizes[0], ""), loops[0].index, "index");
}

void zc_items_emit(struct zc_copy *copy, LLVMValueRef *seen)
{
    struct zc_emission *e = copy->e;
    struct zc_loop loops[3];
    for (unsigned d = e->in_strips ? 1 : 3; d-- > 0;) {
        loops[d] = e->in_strips ? zc_loop_open(e->build, e->kernel->wrapper, e->first, e->end, 1)
                                : zc_loop_open(e->build, e->kernel->wrapper,
                                      zc_const_i64(e->build, 0), e->sizes[d], 1);
        zc_emit_id(e, d, loops[d].index);
    }
    copy->index = e->in_strips ? LLVMBuildSub(zc_builder_of(e), loops[0].index, e->first, "index")
                               : index_in_group(e, loops);
    emit_item(copy, seen);
    for (unsigned d = 0; d < (e->in_strips ? 1 : 3); d++)
        zc_loop_close(e->build, e->kernel->wrapper, &loops[d], true);
}

void zc_items_emit_for(
    struct zc_emission *e, const struct zc_region *region, uint32_t goal, LLVMValueRef *seen)
{
    struct zc_copy items;
    zc_copy_start(&items, e, region);
    items.goal = goal;
    items.heads = calloc(e->analysis->flow.words, sizeof(uint64_t));
    if (items.heads != NULL)
        find_heads(&items);
    zc_items_emit(&items, seen);
    free(items.heads);
    zc_copy_finish(&items);
}
