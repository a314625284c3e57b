// SPDX-License-Identifier: MIT
//
// What the files that make a wrapper of regions share; fission_emit.c explains it.

#ifndef ZC_ENGINE_EMISSION_H
#define ZC_ENGINE_EMISSION_H

#include "fission.h"

struct zc_storage {
    LLVMValueRef shared; // of a uniform slot: what the lead sees
    LLVMValueRef own;    // what a work-item sees
    LLVMValueRef array;  // of a kept slot: the first work-item's
};

// One byte for each work-item, 0 or a number.
struct zc_flags {
    LLVMValueRef array;
};

struct zc_emission {
    struct zc_build *build;
    struct zc_kernel_build *kernel;
    const struct zc_regions *regions;
    const struct zc_analysis *analysis;
    LLVMValueRef *arguments;
    bool in_strips;
    LLVMValueRef sizes[3];
    LLVMValueRef places; // of an array: work-items, rounded up to whole chunks
    LLVMValueRef first;  // of the strip
    LLVMValueRef end;
    LLVMValueRef used; // bytes of the worker's memory for each work-item so far
    struct zc_storage *storages;
    struct zc_flags active;
    struct zc_flags *inside; // for each meeting: who is in its loop
    struct zc_flags *exits;  // likewise: by which exit each has left
    LLVMBasicBlockRef starts[ZC_MAX_REGIONS];
    LLVMBasicBlockRef done;
    uint64_t item_size; // bytes kept for a work-item
    bool failed;
};

// A copy of a region under way.
struct zc_copy {
    struct zc_emission *e;
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

static inline LLVMBuilderRef zc_builder_of(const struct zc_emission *e)
{
    return e->build->builder;
}

static inline uint32_t zc_meeting_number(
    const struct zc_emission *e, const struct zc_meeting *meeting)
{
    return (uint32_t)(meeting - e->analysis->meetings);
}

// fission_storage.c: where slots and flags lie.
void zc_storages_add(struct zc_emission *e);
void zc_flags_add(struct zc_emission *e);
void zc_flags_clear(const struct zc_emission *e);
void zc_flag_set(
    const struct zc_emission *e, const struct zc_flags *flags, LLVMValueRef index, unsigned value);
LLVMValueRef zc_flag_get(
    const struct zc_emission *e, const struct zc_flags *flags, LLVMValueRef index);
// Leaves the builder in another block.
LLVMValueRef zc_flag_any(struct zc_emission *e, const struct zc_flags *flags);

// fission_copy.c: copies of blocks and instructions.
LLVMBasicBlockRef zc_emit_block(const struct zc_emission *e, const char *name);
// So many bytes behind an address.
LLVMValueRef zc_emit_address(const struct zc_emission *e, LLVMValueRef array, LLVMValueRef bytes);
void zc_copy_start(struct zc_copy *copy, struct zc_emission *e, const struct zc_region *region);
void zc_copy_finish(struct zc_copy *copy);
// The copy of a block of this region, which may have to be filled later.
LLVMBasicBlockRef zc_copy_block(struct zc_copy *copy, uint32_t number);
void zc_copy_instruction(struct zc_copy *copy, LLVMValueRef instruction);
LLVMValueRef zc_copy_clone(struct zc_copy *copy, LLVMValueRef instruction);

// fission_lead.c: what is the same for all.
void zc_lead_emit(struct zc_copy *copy);

// fission_items.c: what each work-item does.
void zc_items_emit(struct zc_copy *copy, LLVMValueRef *seen);
// The same, of those who go on to the region `goal`.
void zc_items_emit_for(
    struct zc_emission *e, const struct zc_region *region, uint32_t goal, LLVMValueRef *seen);
// Who takes part in the region; NULL: all.
const struct zc_flags *zc_members_of(const struct zc_emission *e, const struct zc_region *region);
bool zc_is_used_in(
    const struct zc_emission *e, const struct zc_region *region, LLVMValueRef variable);
void zc_emit_id(const struct zc_emission *e, unsigned dimension, LLVMValueRef id);

#endif
