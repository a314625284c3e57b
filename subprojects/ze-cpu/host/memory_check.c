// SPDX-License-Identifier: MIT
//
// What is allowed is an allocation, and, where the device has shared system memory, whatever is not an allocation
// and not room of one either.
#include "memory_check.h"

#include "block.h"
#include "device.h"
#include "settings.h"
#include "unwritten.h"

#include <stdlib.h>
#include <string.h>

// Freed memory is kept back up to so many bytes, and up to so many allocations.
#define HELD_BYTES ((size_t)256 << 20)
#define HELD_COUNT 1024u

static struct zc_memory_range block_of(const struct zc_allocation *allocation)
{
    const uintptr_t begin = (uintptr_t)allocation->base - allocation->before;
    const size_t size = allocation->block_size ? allocation->block_size : allocation->size;
    return (struct zc_memory_range){begin, begin + size};
}

// ---- freed memory ----

static void drop(struct zc_memory_map *map, size_t index)
{
    struct zc_allocation *held = &map->held[index];
    zc_block_unmap(held);
    map->held_bytes -= held->size;
    map->held_count--;
    memmove(held, held + 1, (map->held_count - index) * sizeof *held);
}

static bool hold(struct zc_memory_map *map, const struct zc_allocation *allocation)
{
    if (!map->held)
        map->held = calloc(HELD_COUNT, sizeof *map->held);
    if (!map->held || allocation->size > HELD_BYTES)
        return false;
    while (map->held_count == HELD_COUNT || map->held_bytes + allocation->size > HELD_BYTES)
        drop(map, 0);
    if (zc_settings.guard)
        zc_block_close(allocation);
    map->held[map->held_count++] = *allocation;
    map->held_bytes += allocation->size;
    return true;
}

void zc_hold_or_free(struct zc_memory_map *map, const struct zc_allocation *allocation)
{
    pthread_mutex_lock(&map->lock);
    const bool kept = zc_settings.guard || (zc_settings.checks & ZC_CHECK_MEMORY);
    const bool held = kept && hold(map, allocation);
    pthread_mutex_unlock(&map->lock);
    if (!held)
        zc_block_unmap(allocation);
}

void zc_held_forget(struct zc_memory_map *map, ze_context_handle_t context)
{
    for (size_t i = map->held_count; i-- > 0;)
        if (map->held[i].context == context)
            drop(map, i);
}

// ---- questions ----

// Narrows the range around the address to what is outside of the block. False: the address is inside.
static bool keep_out(
    struct zc_memory_range *range, const struct zc_allocation *allocation, uintptr_t address)
{
    const struct zc_memory_range block = block_of(allocation);
    if (block.end <= address && range->begin < block.end)
        range->begin = block.end;
    if (block.begin > address && range->end > block.begin)
        range->end = block.begin;
    return address < block.begin || address >= block.end;
}

static bool find_outside(
    const struct zc_memory_map *map, uintptr_t address, struct zc_memory_range *range)
{
    const struct zc_allocation *below = zc_tree_at_or_before(&map->tree, (const void *)address);
    const struct zc_allocation *above = zc_tree_behind(&map->tree, (const void *)address);
    *range = (struct zc_memory_range){0, UINTPTR_MAX};
    bool outside =
        (!below || keep_out(range, below, address)) && (!above || keep_out(range, above, address));
    for (size_t i = 0; outside && i < map->held_count; i++)
        outside = keep_out(range, &map->held[i], address);
    return outside;
}

bool zc_memory_is_in_block(const struct zc_memory_map *map, uintptr_t address)
{
    struct zc_memory_range outside;
    return !find_outside(map, address, &outside);
}

static bool reaches(const struct zc_memory_checker *checker, const struct zc_allocation *allocation)
{
    return !zc_settings.strict || zc_is_resident(&checker->residency, allocation);
}

static bool go_on(const struct zc_allocation *one, const struct zc_allocation *next)
{
    return one->reservation && one->reservation == next->reservation &&
           one->base + one->size == next->base && one->resident == next->resident;
}

// An access may begin in one mapping of a reservation and end in the next one.
static struct zc_memory_range range_of(
    const struct zc_memory_map *map, const struct zc_allocation *found)
{
    const struct zc_allocation *first = found, *last = found, *other;
    while ((other = zc_tree_at_or_before(&map->tree, first->base - 1)) && go_on(other, first))
        first = other;
    while ((other = zc_tree_next(&map->tree, last)) && go_on(last, other))
        last = other;
    return (struct zc_memory_range){(uintptr_t)first->base, (uintptr_t)last->base + last->size};
}

static enum zc_permission find_range(
    const struct zc_memory_checker *checker, uintptr_t address, struct zc_memory_range *range)
{
    const struct zc_allocation *found = zc_memory_map_find(checker->map, (const void *)address);
    if (found) {
        *range = range_of(checker->map, found);
        return reaches(checker, found) ? ZC_MEMORY_ALLOWED : ZC_MEMORY_FORBIDDEN;
    }
    if (!find_outside(checker->map, address, range))
        return ZC_MEMORY_FORBIDDEN;
    return checker->system ? ZC_MEMORY_ALLOWED : ZC_MEMORY_UNKNOWN;
}

static enum zc_permission find(
    const struct zc_checker *base, uintptr_t address, struct zc_memory_range *range)
{
    const struct zc_memory_checker *checker = (const void *)base; // its first member
    pthread_mutex_lock(&checker->map->lock);
    const enum zc_permission permission = find_range(checker, address, range);
    pthread_mutex_unlock(&checker->map->lock);
    return permission;
}

static const char *kind_of(const struct zc_allocation *allocation)
{
    return allocation->type == ZE_MEMORY_TYPE_HOST     ? "host"
           : allocation->type == ZE_MEMORY_TYPE_SHARED ? "shared"
                                                       : "device";
}

const char *zc_memory_checker_find_missing(
    const struct zc_memory_checker *checker, uintptr_t address)
{
    pthread_mutex_lock(&checker->map->lock);
    const struct zc_allocation *found = zc_memory_map_find(checker->map, (const void *)address);
    const char *missing = found && !reaches(checker, found) ? kind_of(found) : NULL;
    pthread_mutex_unlock(&checker->map->lock);
    return missing;
}

void zc_memory_checker_init(struct zc_memory_checker *checker, struct zc_memory_map *map,
    ze_device_handle_t device, const struct zc_residency *residency)
{
    *checker = (struct zc_memory_checker){
        .base = {.checks = zc_settings.checks, .find = find, .shadow = zc_process_shadow()},
        .map = map,
        .system = device->persona->access.system != 0,
        .residency = *residency};
}
