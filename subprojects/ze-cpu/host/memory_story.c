// SPDX-License-Identifier: MIT
//
// What is said of an address: which allocation it lies in or beside.
#include "memory.h"

#include <inttypes.h>
#include <stdio.h>

// Farther away it is nobody's neighbour.
#define BESIDE (UINT64_C(1) << 20)

struct neighbour {
    const struct zc_allocation *allocation; // NULL: there is none
    bool freed;
    uint64_t distance; // 0: the address is in it
    bool before;       // its begin
};

static const char *type_name(const struct zc_allocation *allocation)
{
    if (allocation->reservation)
        return "virtual memory";
    if (allocation->of_image)
        return "an image";
    if (allocation->owner)
        return "a program-scope variable";
    if (allocation->foreign)
        return "imported memory";
    if (allocation->imported)
        return "memory of another process";
    return allocation->type == ZE_MEMORY_TYPE_DEVICE   ? "device memory"
           : allocation->type == ZE_MEMORY_TYPE_SHARED ? "shared memory"
                                                       : "host memory";
}

// Distance 1 is the byte right before it; 0 can't be behind it.
static struct neighbour look_at(const struct zc_allocation *allocation, uintptr_t address)
{
    const uintptr_t begin = (uintptr_t)allocation->base, end = begin + allocation->size;
    if (address < begin)
        return (struct neighbour){allocation, false, begin - address, true};
    return (struct neighbour){allocation, false, address < end ? 0 : address - end + 1, false};
}

static void consider(struct neighbour *best, struct neighbour other)
{
    if (other.distance <= BESIDE && (!best->allocation || other.distance < best->distance))
        *best = other;
}

// Addresses are used again: what is there comes before what was freed, and the newest of that before the others.
static struct neighbour find_neighbour(const struct zc_memory_map *map, uintptr_t address)
{
    struct neighbour best = {.allocation = NULL}, gone = {.allocation = NULL};
    const struct zc_allocation *below = zc_tree_at_or_before(&map->tree, (const void *)address);
    const struct zc_allocation *above = zc_tree_behind(&map->tree, (const void *)address);
    if (below)
        consider(&best, look_at(below, address));
    if (above)
        consider(&best, look_at(above, address));
    const size_t freed = map->freed_count < ZC_FREED_KEPT ? map->freed_count : ZC_FREED_KEPT;
    for (size_t i = 1; i <= freed; i++)
        consider(&gone, look_at(&map->freed[(map->freed_count - i) % ZC_FREED_KEPT], address));
    for (size_t i = map->held_count; i-- > 0;)
        consider(&gone, look_at(&map->held[i], address));
    gone.freed = true;
    const bool is_gone = gone.allocation && gone.distance == 0 && best.distance != 0;
    return best.allocation && !is_gone ? best : gone;
}

static int describe(const struct neighbour *near, uintptr_t address, char *text, size_t size)
{
    const struct zc_allocation *allocation = near->allocation;
    char where[64];
    if (!allocation)
        return snprintf(text, size,
            address < 4096 ? ", a null pointer or near one" : ", in and near no allocation");
    if (near->distance == 0)
        snprintf(
            where, sizeof where, "%" PRIuPTR " bytes into", address - (uintptr_t)allocation->base);
    else if (near->before)
        snprintf(where, sizeof where, "%" PRIu64 " bytes before", near->distance);
    else
        snprintf(where, sizeof where, "%" PRIu64 " bytes behind the end of", near->distance - 1);
    return snprintf(text, size, ", %s %s of %zu bytes at %p%s", where, type_name(allocation),
        allocation->size, (void *)allocation->base, near->freed ? ", which was freed" : "");
}

void zc_allocation_describe(
    const struct zc_allocation *allocation, uintptr_t address, char *text, size_t size)
{
    const struct neighbour near = look_at(allocation, address);
    describe(&near, address, text, size);
}

static const struct zc_allocation *find_number(const struct zc_memory_map *map, uint32_t number)
{
    const size_t freed = map->freed_count < ZC_FREED_KEPT ? map->freed_count : ZC_FREED_KEPT;
    for (const struct zc_allocation *one = zc_tree_first(&map->tree); one;
         one = zc_tree_next(&map->tree, one))
        if ((uint32_t)one->id == number)
            return one;
    for (size_t i = 0; i < freed; i++)
        if ((uint32_t)map->freed[i].id == number)
            return &map->freed[i];
    return NULL;
}

size_t zc_memory_map_describe_number(
    struct zc_memory_map *map, uint32_t number, char *text, size_t size)
{
    int length = 0;
    pthread_mutex_lock(&map->lock);
    const struct zc_allocation *found = find_number(map, number);
    if (found)
        length = snprintf(text, size, ", of %s of %zu bytes at %p", type_name(found), found->size,
            (void *)found->base);
    pthread_mutex_unlock(&map->lock);
    return length < 0 ? 0 : (size_t)length < size ? (size_t)length : size - 1;
}

size_t zc_memory_map_describe(struct zc_memory_map *map, uintptr_t address, char *text, size_t size)
{
    pthread_mutex_lock(&map->lock);
    const struct neighbour near = find_neighbour(map, address);
    const int length = describe(&near, address, text, size);
    pthread_mutex_unlock(&map->lock);
    return length < 0 ? 0 : (size_t)length < size ? (size_t)length : size - 1;
}
