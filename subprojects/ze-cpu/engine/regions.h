// SPDX-License-Identifier: MIT
//
// A kernel's body cut into regions: what a work-item does between two places where all meet. These are
// barriers, headers and exits of loops with a meeting, and the start.
//
// Each region is run for all work-items before the next one starts. What a work-item keeps from one region
// to another is a "kept" slot.

#ifndef ZC_ENGINE_REGIONS_H
#define ZC_ENGINE_REGIONS_H

#include "analysis.h"

// More than this are not worth the code.
#define ZC_MAX_REGIONS 64
#define ZC_MAX_ENTRIES 16 // of a region

struct zc_region {
    uint32_t entries[ZC_MAX_ENTRIES];
    uint32_t entry_count;
    const struct zc_meeting *inside; // one round of this loop, for those who are still in it
    const struct zc_meeting *behind; // entered from this loop, by the exit that each has taken
    uint64_t *blocks;
};

struct zc_slot {
    LLVMValueRef variable;
    uint64_t size; // bytes for each work-item, padded to its alignment
    bool is_varying;
    bool is_kept; // from one region to another
};

struct zc_regions {
    const struct zc_analysis *analysis;
    struct zc_region list[ZC_MAX_REGIONS];
    uint32_t count;
    uint32_t *entered; // for each block: the region that begins there, plus one
    struct zc_slot *slots;
    uint32_t slot_count;
    struct zc_map slot_numbers; // plus one
    bool ends_early;            // some work-items end before the others
};

// False: the body can't be cut, or not with a reasonable amount of code.
bool zc_regions_init(struct zc_regions *regions, const struct zc_analysis *analysis);
void zc_regions_finish(struct zc_regions *regions);

// ZC_MAX_REGIONS: the edge stays inside of its region.
uint32_t zc_region_entered(const struct zc_regions *regions, uint32_t block);
// Which of its entries the block is.
uint32_t zc_region_entry_number(const struct zc_region *region, uint32_t block);
// NULL: not a slot.
const struct zc_slot *zc_slot_of(const struct zc_regions *regions, LLVMValueRef variable);

#endif
