// SPDX-License-Identifier: MIT
//
// The lead of a region: computes once what is the same for all work-items, and finds the next region.

#include "emission.h"

// The block in which the lead ends when it goes on to that region.
static LLVMBasicBlockRef lead_leave(struct zc_copy *copy, uint32_t region)
{
    if (copy->ways[region] == NULL)
        copy->ways[region] = zc_emit_block(copy->e, "items");
    return copy->ways[region];
}

static LLVMBasicBlockRef lead_target(struct zc_copy *copy, uint32_t number)
{
    if (number == ZC_NO_BLOCK)
        return lead_leave(copy, ZC_MAX_REGIONS);
    const uint32_t region = zc_region_entered(copy->e->regions, number);
    return region < ZC_MAX_REGIONS ? lead_leave(copy, region) : zc_copy_block(copy, number);
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

static void end_lead_block(struct zc_copy *copy, uint32_t number)
{
    const struct zc_flow *flow = &copy->e->analysis->flow;
    LLVMBuilderRef b = zc_builder_of(copy->e);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(flow->blocks[number]);
    const uint32_t count = zc_flow_successor_count(flow, number);
    if (count == 0) {
        LLVMBuildBr(b, lead_leave(copy, ZC_MAX_REGIONS));
    } else if (count == 1) {
        LLVMBuildBr(b, lead_target(copy, zc_flow_successor(flow, number, 0)));
    } else if (!zc_branches_together(copy->e->analysis, number)) {
        LLVMBuildBr(b, lead_target(copy, where_they_meet(flow, number)));
    } else {
        LLVMValueRef branch = zc_copy_clone(copy, end);
        for (uint32_t s = 0; s < count; s++)
            LLVMSetSuccessor(branch, s, lead_target(copy, zc_flow_successor(flow, number, s)));
    }
}

// Does the lead need it? What only computes and is the same for all.
static bool is_for_lead(const struct zc_copy *copy, LLVMValueRef instruction)
{
    const struct zc_analysis *analysis = copy->e->analysis;
    if (LLVMIsAStoreInst(instruction)) {
        LLVMValueRef slot = LLVMGetOperand(instruction, 1);
        return zc_is_slot(analysis, slot) && !zc_is_varying(analysis, slot);
    }
    return !zc_is_varying(analysis, instruction) && !LLVMIsAFenceInst(instruction) &&
           LLVMGetTypeKind(LLVMTypeOf(instruction)) != LLVMVoidTypeKind;
}

static void copy_lead_block(struct zc_copy *copy, uint32_t number)
{
    LLVMBasicBlockRef original = copy->e->analysis->flow.blocks[number];
    LLVMValueRef end = LLVMGetBasicBlockTerminator(original);
    LLVMPositionBuilderAtEnd(zc_builder_of(copy->e), zc_map_get(&copy->blocks, original));
    for (LLVMValueRef i = LLVMGetFirstInstruction(original); i != end;
         i = LLVMGetNextInstruction(i)) {
        if (is_for_lead(copy, i))
            zc_copy_instruction(copy, i);
    }
    end_lead_block(copy, number);
}

void zc_lead_emit(struct zc_copy *copy)
{
    struct zc_emission *e = copy->e;
    const struct zc_region *region = copy->region;
    for (uint32_t n = 0; n < e->regions->slot_count; n++) {
        if (e->storages[n].shared != NULL)
            zc_map_put(&copy->values, e->regions->slots[n].variable, e->storages[n].shared);
    }
    const bool one_way_in = region->entry_count == 1;
    const uint32_t first =
        one_way_in ? region->entries[0] : zc_meeting_end(e->analysis, region->behind);
    LLVMBuildBr(
        zc_builder_of(e), one_way_in ? zc_copy_block(copy, first) : lead_target(copy, first));
    while (copy->pending_count > 0)
        copy_lead_block(copy, copy->pending[--copy->pending_count]);
}
