// SPDX-License-Identifier: MIT
//
// Finds the regions, and which slots live across their borders.

#include "regions.h"

#include <stdlib.h>
#include <string.h>

// How much larger than the body all regions together may be: blocks that several regions reach are
// in each of them.
#define MAX_GROWTH 8

#define MAX_SLOT_ALIGNMENT 64

static const struct zc_flow *flow_of(const struct zc_regions *regions)
{
    return &regions->analysis->flow;
}

uint32_t zc_region_entered(const struct zc_regions *regions, uint32_t block)
{
    const uint32_t entered = regions->entered[block];
    return entered > 0 ? entered - 1 : ZC_MAX_REGIONS;
}

uint32_t zc_region_entry_number(const struct zc_region *region, uint32_t block)
{
    uint32_t i = 0;
    while (i < region->entry_count && region->entries[i] != block)
        i++;
    return i;
}

const struct zc_slot *zc_slot_of(const struct zc_regions *regions, LLVMValueRef variable)
{
    const uintptr_t number = (uintptr_t)zc_map_get(&regions->slot_numbers, variable);
    return number > 0 ? &regions->slots[number - 1] : NULL;
}

static bool add_entry(struct zc_regions *regions, struct zc_region *region, uint32_t block)
{
    if (regions->entered[block] > 0)
        return regions->list + regions->entered[block] - 1 == region;
    if (region->entry_count == ZC_MAX_ENTRIES)
        return false;
    region->entries[region->entry_count++] = block;
    regions->entered[block] = (uint32_t)(region - regions->list) + 1;
    return true;
}

static struct zc_region *add_region(struct zc_regions *regions)
{
    return regions->count < ZC_MAX_REGIONS ? &regions->list[regions->count++] : NULL;
}

static bool add_region_at(struct zc_regions *regions, uint32_t block)
{
    if (regions->entered[block] > 0)
        return true;
    struct zc_region *region = add_region(regions);
    return region != NULL && add_entry(regions, region, block);
}

static bool add_exits(
    struct zc_regions *regions, const struct zc_meeting *meeting, struct zc_region *together)
{
    const struct zc_flow *flow = flow_of(regions);
    bool ok = true;
    for (uint32_t b = 0; ok && b < flow->count; b++) {
        for (uint32_t s = 0;
             ok && zc_set_has(meeting->blocks, b) && s < zc_flow_successor_count(flow, b); s++) {
            const uint32_t next = zc_flow_successor(flow, b, s);
            if (zc_set_has(meeting->blocks, next) || zc_flow_is_return(flow, b, s))
                continue;
            ok = together != NULL ? add_entry(regions, together, next)
                                  : add_region_at(regions, next);
        }
    }
    return ok;
}

// Whoever leaves a loop apart from the others waits behind it: all its exits are one region.
static bool add_meeting(struct zc_regions *regions, const struct zc_meeting *meeting)
{
    struct zc_region *round = add_region(regions);
    if (round == NULL || !add_entry(regions, round, meeting->header))
        return false;
    if (!meeting->leaves_apart)
        return add_exits(regions, meeting, NULL);
    struct zc_region *behind = add_region(regions);
    if (behind == NULL)
        return false;
    round->inside = meeting;
    behind->behind = meeting;
    return add_exits(regions, meeting, behind) && behind->entry_count > 0;
}

static bool add_barriers(struct zc_regions *regions)
{
    const struct zc_flow *flow = flow_of(regions);
    for (uint32_t b = 0; b < flow->count; b++) {
        if (zc_wait_of(flow->blocks[b]) == NULL)
            continue;
        if (zc_set_has(regions->analysis->divergent, b) ||
            !add_region_at(regions, zc_flow_successor(flow, b, 0)))
            return false;
    }
    return true;
}

// Behind a branch at which some end, the others are a region of their own: if nobody is left, it does
// not run, and nothing that only its work-items may touch is touched.
static bool add_survivors(struct zc_regions *regions, uint32_t block)
{
    const struct zc_flow *flow = flow_of(regions);
    uint32_t survivors = ZC_NO_BLOCK;
    bool some_end = false;
    for (uint32_t s = 0; s < zc_flow_successor_count(flow, block); s++) {
        const uint32_t next = zc_flow_successor(flow, block, s);
        if (zc_flow_is_return(flow, block, s))
            some_end = true;
        else if (survivors != ZC_NO_BLOCK)
            return true;
        else
            survivors = next;
    }
    return !some_end || add_region_at(regions, survivors);
}

static bool add_all_survivors(struct zc_regions *regions)
{
    const struct zc_analysis *analysis = regions->analysis;
    bool ok = true;
    for (uint32_t b = 0; ok && b < analysis->flow.count; b++) {
        if (!zc_set_has(analysis->divergent, b) && !zc_set_has(analysis->apart, b) &&
            !zc_branches_together(analysis, b))
            ok = add_survivors(regions, b);
    }
    return ok;
}

static void collect(struct zc_regions *regions, struct zc_region *region, uint32_t block)
{
    const struct zc_flow *flow = flow_of(regions);
    zc_set_add(region->blocks, block);
    for (uint32_t s = 0; s < zc_flow_successor_count(flow, block); s++) {
        const uint32_t next = zc_flow_successor(flow, block, s);
        if (regions->entered[next] == 0 && !zc_set_has(region->blocks, next))
            collect(regions, region, next);
    }
}

static bool collect_blocks(struct zc_regions *regions)
{
    const struct zc_flow *flow = flow_of(regions);
    uint32_t total = 0;
    for (uint32_t r = 0; r < regions->count; r++) {
        struct zc_region *region = &regions->list[r];
        region->blocks = calloc(flow->words, sizeof(uint64_t));
        if (region->blocks == NULL)
            return false;
        for (uint32_t i = 0; i < region->entry_count; i++)
            collect(regions, region, region->entries[i]);
        for (uint32_t b = 0; b < flow->count; b++)
            total += zc_set_has(region->blocks, b);
    }
    return total <= flow->count * MAX_GROWTH + MAX_GROWTH;
}

// Only where all come by can a region begin; the exits of a loop that is left apart are the exception.
static bool entries_are_met(const struct zc_regions *regions)
{
    for (uint32_t r = 0; r < regions->count; r++) {
        const struct zc_region *region = &regions->list[r];
        for (uint32_t i = 0; region->behind == NULL && i < region->entry_count; i++) {
            if (zc_set_has(regions->analysis->divergent, region->entries[i]))
                return false;
        }
        if (region->behind != NULL &&
            zc_set_has(regions->analysis->divergent, region->behind->header))
            return false;
    }
    return true;
}

static void find_early_ends(struct zc_regions *regions)
{
    const struct zc_flow *flow = flow_of(regions);
    for (uint32_t b = 0; b < flow->count; b++) {
        if (zc_flow_successor_count(flow, b) == 0)
            regions->ends_early |= zc_set_has(regions->analysis->divergent, b) ||
                                   zc_set_has(regions->analysis->apart, b);
        for (uint32_t s = 0; s < zc_flow_successor_count(flow, b); s++)
            regions->ends_early |=
                zc_flow_is_return(flow, b, s) && (!zc_branches_together(regions->analysis, b) ||
                                                     zc_set_has(regions->analysis->divergent, b) ||
                                                     zc_set_has(regions->analysis->apart, b));
    }
}

static uint64_t padded_size(const struct zc_regions *regions, LLVMValueRef variable)
{
    const uint64_t alignment = LLVMGetAlignment(variable);
    const uint64_t size =
        LLVMABISizeOfType(regions->analysis->build->layout, LLVMGetAllocatedType(variable));
    return (size + alignment - 1) / alignment * alignment;
}

static bool list_slots(struct zc_regions *regions)
{
    uint32_t count = 0;
    LLVMBasicBlockRef entry = flow_of(regions)->blocks[0];
    for (LLVMValueRef a = LLVMGetFirstInstruction(entry); a; a = LLVMGetNextInstruction(a))
        count += LLVMIsAAllocaInst(a) != NULL;
    regions->slots = calloc(count + 1, sizeof(*regions->slots));
    bool ok = regions->slots != NULL;
    for (LLVMValueRef a = LLVMGetFirstInstruction(entry); ok && a; a = LLVMGetNextInstruction(a)) {
        if (!LLVMIsAAllocaInst(a))
            continue;
        regions->slots[regions->slot_count++] = (struct zc_slot){.variable = a,
            .size = padded_size(regions, a),
            .is_varying = zc_is_varying(regions->analysis, a)};
        zc_map_put(&regions->slot_numbers, a, (void *)(uintptr_t)regions->slot_count);
        ok = LLVMGetAlignment(a) <= MAX_SLOT_ALIGNMENT &&
             LLVMIsAConstantInt(LLVMGetOperand(a, 0)) &&
             LLVMConstIntGetZExtValue(LLVMGetOperand(a, 0)) == 1;
    }
    return ok && !regions->slot_numbers.failed;
}

// Which slots a block reads before it writes them, and which it writes.
struct usage {
    uint64_t *read, *written, *live;
    uint32_t words;
};

static void note_usage(
    const struct zc_regions *regions, struct usage *usage, uint32_t block, LLVMValueRef instruction)
{
    const bool stores = LLVMIsAStoreInst(instruction) != NULL;
    if (!stores && !LLVMIsALoadInst(instruction))
        return;
    LLVMValueRef address = LLVMGetOperand(instruction, stores ? 1 : 0);
    const struct zc_slot *slot = zc_slot_of(regions, address);
    if (slot == NULL || !zc_is_slot(regions->analysis, address))
        return;
    const uint32_t number = (uint32_t)(slot - regions->slots);
    uint64_t *written = usage->written + block * usage->words;
    if (stores)
        zc_set_add(written, number);
    else if (!zc_set_has(written, number))
        zc_set_add(usage->read + block * usage->words, number);
}

static bool update_live(const struct zc_regions *regions, struct usage *usage, uint32_t block)
{
    const struct zc_flow *flow = flow_of(regions);
    const uint32_t words = usage->words;
    bool changed = false;
    for (uint32_t w = 0; w < words; w++) {
        uint64_t live = 0;
        for (uint32_t s = 0; s < zc_flow_successor_count(flow, block); s++)
            live |= usage->live[zc_flow_successor(flow, block, s) * words + w];
        live = usage->read[block * words + w] | (live & ~usage->written[block * words + w]);
        changed |= live != usage->live[block * words + w];
        usage->live[block * words + w] = live;
    }
    return changed;
}

static void find_live(const struct zc_regions *regions, struct usage *usage)
{
    const struct zc_flow *flow = flow_of(regions);
    for (uint32_t b = 0; b < flow->count; b++) {
        LLVMValueRef i = LLVMGetFirstInstruction(flow->blocks[b]);
        for (; i != NULL; i = LLVMGetNextInstruction(i))
            note_usage(regions, usage, b, i);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = flow->count; b-- > 0;)
            changed |= update_live(regions, usage, b);
    }
}

static void keep_live(struct zc_regions *regions, const struct usage *usage)
{
    for (uint32_t r = 1; r < regions->count; r++) {
        const struct zc_region *region = &regions->list[r];
        for (uint32_t i = 0; i < region->entry_count; i++) {
            const uint64_t *live = usage->live + region->entries[i] * usage->words;
            for (uint32_t n = 0; n < regions->slot_count; n++)
                regions->slots[n].is_kept |= zc_set_has(live, n);
        }
    }
}

// Of a variable whose address is taken nobody knows when it is used; it is kept if it is used behind
// the first region.
static void keep_taken(struct zc_regions *regions)
{
    const struct zc_flow *flow = flow_of(regions);
    for (uint32_t n = 0; n < regions->slot_count; n++) {
        struct zc_slot *slot = &regions->slots[n];
        LLVMUseRef use =
            zc_is_slot(regions->analysis, slot->variable) ? NULL : LLVMGetFirstUse(slot->variable);
        for (; use != NULL; use = LLVMGetNextUse(use)) {
            const uint32_t block = zc_flow_number(flow, LLVMGetInstructionParent(LLVMGetUser(use)));
            for (uint32_t r = 1; block != ZC_NO_BLOCK && r < regions->count; r++)
                slot->is_kept |= zc_set_has(regions->list[r].blocks, block);
        }
    }
}

static bool find_kept(struct zc_regions *regions)
{
    struct usage usage = {.words = ZC_SET_WORDS(regions->slot_count)};
    const size_t size = (size_t)usage.words * flow_of(regions)->count + 1;
    usage.read = calloc(size, sizeof(uint64_t));
    usage.written = calloc(size, sizeof(uint64_t));
    usage.live = calloc(size, sizeof(uint64_t));
    const bool ok = usage.read != NULL && usage.written != NULL && usage.live != NULL;
    if (ok) {
        find_live(regions, &usage);
        keep_live(regions, &usage);
        keep_taken(regions);
    }
    free(usage.read);
    free(usage.written);
    free(usage.live);
    return ok;
}

bool zc_regions_init(struct zc_regions *regions, const struct zc_analysis *analysis)
{
    *regions = (struct zc_regions){.analysis = analysis};
    regions->entered = calloc(analysis->flow.count, sizeof(*regions->entered));
    bool ok = regions->entered != NULL && add_region_at(regions, 0);
    for (uint32_t m = 0; ok && m < analysis->meeting_count; m++)
        ok = analysis->meetings[m].is_dropped || add_meeting(regions, &analysis->meetings[m]);
    if (!ok || !add_barriers(regions) || !add_all_survivors(regions) || !entries_are_met(regions) ||
        !collect_blocks(regions))
        return false;
    find_early_ends(regions);
    return list_slots(regions) && find_kept(regions);
}

void zc_regions_finish(struct zc_regions *regions)
{
    for (uint32_t r = 0; r < regions->count; r++)
        free(regions->list[r].blocks);
    free(regions->entered);
    free(regions->slots);
    zc_map_finish(&regions->slot_numbers);
}
