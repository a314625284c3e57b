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

#include "emission.h"

#include <stdlib.h>

static LLVMValueRef *look_at_uniform_slots(struct zc_emission *e, const struct zc_region *region)
{
    LLVMValueRef *seen = calloc(e->regions->slot_count + 1, sizeof(LLVMValueRef));
    for (uint32_t n = 0; seen != NULL && n < e->regions->slot_count; n++) {
        LLVMValueRef variable = e->regions->slots[n].variable;
        if (e->storages[n].shared != NULL && e->regions->slots[n].is_kept &&
            zc_is_used_in(e, region, variable))
            seen[n] = LLVMBuildLoad2(
                zc_builder_of(e), LLVMGetAllocatedType(variable), e->storages[n].shared, "uniform");
    }
    e->failed |= seen == NULL;
    return seen;
}

static LLVMBasicBlockRef start_of(const struct zc_emission *e, uint32_t region)
{
    return region < ZC_MAX_REGIONS ? e->starts[region] : e->done;
}

static uint32_t region_behind(const struct zc_emission *e, const struct zc_meeting *meeting)
{
    uint32_t r = 0;
    while (r < e->regions->count && e->regions->list[r].behind != meeting)
        r++;
    return r;
}

// One round of a loop for those who are still in it, until nobody is.
static void emit_round(struct zc_emission *e, const struct zc_region *region, uint32_t number)
{
    struct zc_copy items;
    LLVMValueRef *seen = look_at_uniform_slots(e, region);
    zc_copy_start(&items, e, region);
    if (seen != NULL)
        zc_items_emit(&items, seen);
    free(seen);
    zc_copy_finish(&items);
    LLVMValueRef again = zc_flag_any(e, zc_members_of(e, region));
    LLVMBuildCondBr(
        zc_builder_of(e), again, e->starts[number], e->starts[region_behind(e, region->inside)]);
}

static void end_if_nobody_is_left(struct zc_emission *e)
{
    LLVMBasicBlockRef some = zc_emit_block(e, "some");
    LLVMBuildCondBr(zc_builder_of(e), zc_flag_any(e, &e->active), some, e->done);
    LLVMPositionBuilderAtEnd(zc_builder_of(e), some);
}

static void emit_region(struct zc_emission *e, uint32_t number)
{
    const struct zc_region *region = &e->regions->list[number];
    LLVMPositionBuilderAtEnd(zc_builder_of(e), e->starts[number]);
    if (region->inside != NULL) {
        emit_round(e, region, number);
        return;
    }
    if (number > 0 && e->active.array != NULL)
        end_if_nobody_is_left(e);
    struct zc_copy lead;
    LLVMValueRef *seen = look_at_uniform_slots(e, region);
    zc_copy_start(&lead, e, region);
    zc_lead_emit(&lead);
    for (uint32_t goal = 0; seen != NULL && goal <= ZC_MAX_REGIONS; goal++) {
        if (lead.ways[goal] == NULL)
            continue;
        LLVMPositionBuilderAtEnd(zc_builder_of(e), lead.ways[goal]);
        zc_items_emit_for(e, region, goal, seen);
        LLVMBuildBr(zc_builder_of(e), start_of(e, goal));
    }
    free(seen);
    zc_copy_finish(&lead);
}

static void measure(struct zc_emission *e)
{
    LLVMBuilderRef b = zc_builder_of(e);
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

static void begin(struct zc_emission *e)
{
    LLVMBuilderRef b = zc_builder_of(e);
    LLVMPositionBuilderAtEnd(b, zc_emit_block(e, "entry"));
    zc_wrapper_copy_context(e->build, e->kernel);
    zc_arguments_load(e->build, e->kernel, e->arguments);
    measure(e);
    zc_storages_add(e);
    zc_flags_add(e);
    for (uint32_t r = 0; r < e->regions->count; r++)
        e->starts[r] = zc_emit_block(e, "region");
    e->done = zc_emit_block(e, "done");
}

static void emit_regions(struct zc_emission *e)
{
    zc_flags_clear(e);
    LLVMBuildBr(zc_builder_of(e), e->starts[0]);
    for (uint32_t r = 0; r < e->regions->count; r++)
        emit_region(e, r);
    LLVMPositionBuilderAtEnd(zc_builder_of(e), e->done);
}

static void emit_strips(struct zc_emission *e)
{
    LLVMBuilderRef b = zc_builder_of(e);
    LLVMValueRef zero = zc_const_i64(e->build, 0), length = zc_const_i64(e->build, ZC_STRIP);
    struct zc_loop loops[3];
    for (unsigned d = 3; d-- > 0;) {
        loops[d] =
            zc_loop_open(e->build, e->kernel->wrapper, zero, e->sizes[d], d > 0 ? 1 : ZC_STRIP);
        if (d > 0)
            zc_emit_id(e, d, loops[d].index);
    }
    e->first = loops[0].index;
    LLVMValueRef end = LLVMBuildAdd(b, e->first, length, "");
    LLVMValueRef is_whole = LLVMBuildICmp(b, LLVMIntULT, end, e->sizes[0], "");
    e->end = LLVMBuildSelect(b, is_whole, end, e->sizes[0], "end");
    emit_regions(e);
    for (unsigned d = 0; d < 3; d++) // strips use the same arrays
        zc_loop_close(e->build, e->kernel->wrapper, &loops[d], false);
}

static void emit(struct zc_emission *e)
{
    begin(e);
    if (e->in_strips)
        emit_strips(e);
    else
        emit_regions(e);
    LLVMBuildRetVoid(zc_builder_of(e));
    if (!e->in_strips)
        e->kernel->info->private_size = (uint32_t)e->item_size;
}

bool zc_fission_emit(
    struct zc_build *build, struct zc_kernel_build *kernel, const struct zc_regions *regions)
{
    const struct zc_analysis *analysis = regions->analysis;
    struct zc_emission e = {.build = build,
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
    if (e.failed && kernel->wrapper != NULL) // its name is for the one that is made instead
        LLVMDeleteFunction(kernel->wrapper);
    free(e.arguments);
    free(e.storages);
    free(e.inside);
    free(e.exits);
    return !e.failed;
}
