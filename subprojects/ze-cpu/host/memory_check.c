// SPDX-License-Identifier: MIT
//
// What is allowed is an allocation, and, where the device has shared system memory, whatever is not an allocation
// and not room of one either.
#include "memory_check.h"

#include "device.h"
#include "settings.h"
#include "unwritten.h"

#include <stdlib.h>
#include <string.h>

#define GUARD_ROOM ((size_t)4096)

// Freed memory is kept back up to so many bytes, and up to so many allocations.
#define HELD_BYTES ((size_t)256 << 20)
#define HELD_COUNT 1024u

static bool checks_memory(void)
{
    return zc_settings.checks & ZC_CHECK_MEMORY;
}

size_t zc_guard_room(size_t alignment)
{
    return checks_memory() ? (GUARD_ROOM + alignment - 1) / alignment * alignment : 0;
}

static struct zc_memory_range block_of(const struct zc_allocation *allocation)
{
    const uintptr_t base = (uintptr_t)allocation->base;
    const size_t behind = allocation->before ? GUARD_ROOM : 0;
    return (struct zc_memory_range){base - allocation->before, base + allocation->size + behind};
}

// ---- freed memory ----

static void free_block(const struct zc_allocation *allocation)
{
    free(allocation->base - allocation->before);
}

static void drop(struct zc_memory_map *map, size_t index)
{
    struct zc_allocation *held = &map->held[index];
    free_block(held);
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
    map->held[map->held_count++] = *allocation;
    map->held_bytes += allocation->size;
    return true;
}

void zc_hold_or_free(struct zc_memory_map *map, const struct zc_allocation *allocation)
{
    pthread_mutex_lock(&map->lock);
    const bool held = allocation->before && hold(map, allocation);
    pthread_mutex_unlock(&map->lock);
    if (!held)
        free_block(allocation);
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
    bool outside = true;
    *range = (struct zc_memory_range){0, UINTPTR_MAX};
    for (size_t i = 0; outside && i < map->count; i++)
        outside = keep_out(range, &map->allocations[i], address);
    for (size_t i = 0; outside && i < map->held_count; i++)
        outside = keep_out(range, &map->held[i], address);
    return outside;
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
    const struct zc_allocation *first = found, *last = found;
    while (first > map->allocations && go_on(first - 1, first))
        first--;
    while (last + 1 < map->allocations + map->count && go_on(last, last + 1))
        last++;
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
