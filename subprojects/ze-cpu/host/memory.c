// SPDX-License-Identifier: MIT
//
// Allocation of unified shared memory. All kinds are the heap; they differ in what is reported
// about them, and device memory has its pages to itself (ipc.h), as has shared memory that is watched (shared_use.h).
#include "memory.h"

#include "check.h"
#include "context.h"
#include "device.h"
#include "ipc.h"
#include "memory_check.h"
#include "shared_use.h"
#include "unwritten.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Vectors of 16 doubles are loaded aligned; also a cache line.
#define MIN_ALIGNMENT 128
#define MAX_ALIGNMENT ((size_t)1 << 30)

void zc_memory_map_init(struct zc_memory_map *map)
{
    *map = (struct zc_memory_map){.count = 0};
    pthread_mutex_init(&map->lock, NULL);
}

// Index of the first allocation above `address`.
static size_t upper_bound(const struct zc_memory_map *map, const char *address)
{
    size_t low = 0, high = map->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (map->allocations[middle].base <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// The allocation that contains `address`, or NULL.
struct zc_allocation *zc_memory_map_find(const struct zc_memory_map *map, const void *address)
{
    const size_t above = upper_bound(map, address);
    if (!above)
        return NULL;
    struct zc_allocation *below = &map->allocations[above - 1];
    return (const char *)address < below->base + below->size ? below : NULL;
}

// The same, if the context knows it.
static struct zc_allocation *find_known(ze_context_handle_t context, const void *address)
{
    struct zc_allocation *found = zc_memory_map_find(context->memory, address);
    const bool is_known = found && (!zc_settings.strict || found->context == context);
    return is_known ? found : NULL;
}

static bool reserve_one(struct zc_memory_map *map)
{
    if (map->count < map->capacity)
        return true;
    const size_t capacity = map->capacity ? 2 * map->capacity : 64;
    struct zc_allocation *grown = realloc(map->allocations, capacity * sizeof *grown);
    if (!grown)
        return false;
    map->allocations = grown;
    map->capacity = capacity;
    return true;
}

static bool insert(struct zc_memory_map *map, struct zc_allocation allocation)
{
    if (!reserve_one(map))
        return false;
    const size_t at = upper_bound(map, allocation.base);
    struct zc_allocation *slot = &map->allocations[at];
    memmove(slot + 1, slot, (map->count - at) * sizeof *slot);
    allocation.id = ++map->last_id;
    *slot = allocation;
    map->count++;
    zc_note_allocated(slot);
    return true;
}

static void erase(struct zc_memory_map *map, struct zc_allocation *allocation)
{
    const size_t at = (size_t)(allocation - map->allocations);
    memmove(allocation, allocation + 1, (map->count - at - 1) * sizeof *allocation);
    map->count--;
}

bool zc_memory_map_add(struct zc_memory_map *map, struct zc_allocation allocation)
{
    pthread_mutex_lock(&map->lock);
    const bool added = insert(map, allocation);
    pthread_mutex_unlock(&map->lock);
    return added;
}

bool zc_memory_map_take(
    ze_context_handle_t context, const void *base, bool imported, struct zc_allocation *taken)
{
    struct zc_memory_map *map = context->memory;
    pthread_mutex_lock(&map->lock);
    struct zc_allocation *found = find_known(context, base);
    const bool fits = found && found->base == base && !found->owner && found->imported == imported;
    if (fits) {
        *taken = *found;
        map->freed[map->freed_count++ % ZC_FREED_KEPT] = *found;
        erase(map, found);
        zc_note_freed(taken);
    }
    pthread_mutex_unlock(&map->lock);
    return fits;
}

ze_result_t zc_memory_map_change(ze_context_handle_t context, const void *address,
    ze_result_t (*change)(struct zc_allocation *allocation), struct zc_allocation *outcome)
{
    struct zc_memory_map *map = context->memory;
    pthread_mutex_lock(&map->lock);
    struct zc_allocation *found = find_known(context, address);
    const ze_result_t result = found ? change(found) : ZE_RESULT_ERROR_INVALID_ARGUMENT;
    if (result == ZE_RESULT_SUCCESS)
        *outcome = *found;
    pthread_mutex_unlock(&map->lock);
    return result;
}

bool zc_memory_map_lend(struct zc_memory_map *map, const struct zc_allocation *variable)
{
    pthread_mutex_lock(&map->lock);
    const bool known = zc_memory_map_find(map, variable->base) || insert(map, *variable);
    pthread_mutex_unlock(&map->lock);
    return known;
}

void zc_memory_map_return(struct zc_memory_map *map, const void *owner)
{
    pthread_mutex_lock(&map->lock);
    for (size_t i = map->count; i-- > 0;)
        if (map->allocations[i].owner == owner)
            erase(map, &map->allocations[i]);
    pthread_mutex_unlock(&map->lock);
}

static void insert_part(
    struct zc_memory_map *map, struct zc_allocation part, const char *begin, const char *end)
{
    if (begin >= end)
        return;
    part.size = (size_t)(end - begin);
    part.base = (char *)(uintptr_t)begin;
    insert(map, part);
}

// What is left may be two parts, of which one takes the place of the whole.
static bool cut(struct zc_memory_map *map, size_t index, const char *base, const char *end)
{
    if (!reserve_one(map))
        return false;
    const struct zc_allocation whole = map->allocations[index];
    erase(map, &map->allocations[index]);
    insert_part(map, whole, whole.base, base);
    insert_part(map, whole, end, whole.base + whole.size);
    return true;
}

bool zc_memory_map_cut(struct zc_memory_map *map, const void *owner, const char *base, size_t size)
{
    const char *end = base + size;
    bool ok = true;
    pthread_mutex_lock(&map->lock);
    for (size_t i = map->count; i-- > 0 && ok;) {
        const struct zc_allocation *found = &map->allocations[i];
        if (found->owner == owner && found->base < end && found->base + found->size > base)
            ok = cut(map, i, base, end);
    }
    pthread_mutex_unlock(&map->lock);
    return ok;
}

void zc_memory_map_forget(ze_context_handle_t context)
{
    struct zc_memory_map *map = context->memory;
    zc_shared_use_remove(context, NULL);
    pthread_mutex_lock(&map->lock);
    zc_held_forget(map, context);
    for (size_t i = map->count; i-- > 0;) {
        struct zc_allocation *allocation = &map->allocations[i];
        if (allocation->context != context)
            continue;
        if (allocation->exported)
            close(allocation->fd);
        erase(map, allocation);
    }
    pthread_mutex_unlock(&map->lock);
}

static bool lifts_size_limit(const void *chain)
{
    const ze_relaxed_allocation_limits_exp_desc_t *relaxed =
        zc_find_next(chain, ZE_STRUCTURE_TYPE_RELAXED_ALLOCATION_LIMITS_EXP_DESC);
    return relaxed && (relaxed->flags & ZE_RELAXED_ALLOCATION_LIMITS_EXP_FLAG_MAX_SIZE);
}

static bool make_known(
    struct zc_memory_map *map, const struct zc_allocation *allocation, bool watched)
{
    if (watched && !zc_shared_use_add(map, allocation))
        return false;
    if (zc_memory_map_add(map, *allocation))
        return true;
    zc_shared_use_remove(allocation->context, allocation->base);
    return false;
}

static ze_result_t allocate(
    ze_context_handle_t context, struct zc_allocation allocation, size_t alignment, void **pointer)
{
    void *memory = NULL;
    const bool watched =
        allocation.type == ZE_MEMORY_TYPE_SHARED && zc_shared_use_is_watched(allocation.device);
    const bool has_pages = allocation.type == ZE_MEMORY_TYPE_DEVICE || watched;
    const size_t size = has_pages ? zc_ipc_size(allocation.size) : allocation.size;
    const size_t min_alignment = has_pages ? zc_ipc_alignment() : MIN_ALIGNMENT;
    if (alignment < min_alignment)
        alignment = min_alignment;
    allocation.context = context;
    allocation.before = zc_guard_room(alignment);
    const size_t around = allocation.before + zc_guard_room(1);
    if (size > SIZE_MAX - around || posix_memalign(&memory, alignment, size + around))
        return allocation.device ? ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY
                                 : ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    allocation.base = (char *)memory + allocation.before;
    if (!make_known(context->memory, &allocation, watched)) {
        free(memory);
        return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    }
    *pointer = allocation.base;
    return ZE_RESULT_SUCCESS;
}

static ze_result_t check_alignment(size_t alignment)
{
    const bool power_of_two = (alignment & (alignment - 1)) == 0;
    ZC_REQUIRE(power_of_two && alignment <= MAX_ALIGNMENT, ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT);
    return ZE_RESULT_SUCCESS;
}

// Checks what device and shared allocations have in common. Intel's driver, too, takes a device that is not the context's for a lost one.
static ze_result_t check_device_allocation(ze_context_handle_t context, ze_device_handle_t device,
    const ze_device_mem_alloc_desc_t *desc, size_t size, size_t alignment)
{
    const uint32_t known = ZE_DEVICE_MEM_ALLOC_FLAG_BIAS_CACHED |
                           ZE_DEVICE_MEM_ALLOC_FLAG_BIAS_UNCACHED |
                           ZE_DEVICE_MEM_ALLOC_FLAG_BIAS_INITIAL_PLACEMENT;
    ZC_REQUIRE_FLAGS(desc->flags, known);
    ZC_REQUIRE(size, ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
    ZC_REQUIRE(!device || zc_context_has(context, device), ZE_RESULT_ERROR_DEVICE_LOST);
    const bool relaxed = !device || lifts_size_limit(desc->pNext);
    ZC_REQUIRE(relaxed || size <= device->max_allocation, ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
    ZC_REQUIRE(!device || size <= device->total_memory, ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
    return check_alignment(alignment);
}

static ze_result_t check_host_desc(const ze_host_mem_alloc_desc_t *desc)
{
    const uint32_t known =
        ZE_HOST_MEM_ALLOC_FLAG_BIAS_CACHED | ZE_HOST_MEM_ALLOC_FLAG_BIAS_UNCACHED |
        ZE_HOST_MEM_ALLOC_FLAG_BIAS_WRITE_COMBINED | ZE_HOST_MEM_ALLOC_FLAG_BIAS_INITIAL_PLACEMENT;
    ZC_REQUIRE_FLAGS(desc->flags, known);
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeMemAllocDevice(ze_context_handle_t context, const ze_device_mem_alloc_desc_t *desc,
    size_t size, size_t alignment, ze_device_handle_t device, void **pointer)
{
    ZC_REQUIRE_HANDLE(context);
    ZC_REQUIRE_HANDLE(device);
    ZC_REQUIRE_POINTER(desc);
    ZC_REQUIRE_POINTER(pointer);
    const ze_result_t checked = check_device_allocation(context, device, desc, size, alignment);
    ZC_PASS(checked);
    const struct zc_allocation allocation = {
        .size = size, .type = ZE_MEMORY_TYPE_DEVICE, .device = device};
    return allocate(context, allocation, alignment, pointer);
}

ze_result_t zeMemAllocShared(ze_context_handle_t context,
    const ze_device_mem_alloc_desc_t *device_desc, const ze_host_mem_alloc_desc_t *host_desc,
    size_t size, size_t alignment, ze_device_handle_t device, void **pointer)
{
    ZC_REQUIRE_HANDLE(context);
    ZC_REQUIRE_POINTER(device_desc);
    ZC_REQUIRE_POINTER(host_desc);
    ZC_REQUIRE_POINTER(pointer);
    ze_result_t checked;
    if ((checked = check_host_desc(host_desc)) ||
        (checked = check_device_allocation(context, device, device_desc, size, alignment)))
        return checked;
    const struct zc_allocation allocation = {
        .size = size, .type = ZE_MEMORY_TYPE_SHARED, .device = device};
    return allocate(context, allocation, alignment, pointer);
}

ze_result_t zeMemAllocHost(ze_context_handle_t context, const ze_host_mem_alloc_desc_t *desc,
    size_t size, size_t alignment, void **pointer)
{
    ZC_REQUIRE_HANDLE(context);
    ZC_REQUIRE_POINTER(desc);
    ZC_REQUIRE_POINTER(pointer);
    ZC_REQUIRE(size, ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
    ze_result_t checked;
    if ((checked = check_host_desc(desc)) || (checked = check_alignment(alignment)))
        return checked;
    const struct zc_allocation allocation = {.size = size, .type = ZE_MEMORY_TYPE_HOST};
    return allocate(context, allocation, alignment, pointer);
}

ze_result_t zeMemFree(ze_context_handle_t context, void *pointer)
{
    ZC_REQUIRE_HANDLE(context);
    ZC_REQUIRE_POINTER(pointer);
    struct zc_allocation allocation;
    zc_shared_use_remove(context, pointer);
    ZC_REQUIRE(
        zc_memory_map_take(context, pointer, false, &allocation), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    if (zc_ipc_withdraw(&allocation))
        zc_hold_or_free(context->memory, &allocation);
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeMemFreeExt(
    ze_context_handle_t context, const ze_memory_free_ext_desc_t *desc, void *pointer)
{
    ZC_REQUIRE_HANDLE(context);
    ZC_REQUIRE_POINTER(desc);
    ZC_REQUIRE_FLAGS(desc->freePolicy, ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_BLOCKING_FREE |
                                           ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_DEFER_FREE);
    ZC_REQUIRE(!desc->freePolicy, ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION);
    return zeMemFree(context, pointer);
}

// Copies what is known about the allocation around `address`. False: no such allocation.
static bool look_up(
    ze_context_handle_t context, const void *address, struct zc_allocation *allocation)
{
    pthread_mutex_lock(&context->memory->lock);
    const struct zc_allocation *found = find_known(context, address);
    if (found)
        *allocation = *found;
    pthread_mutex_unlock(&context->memory->lock);
    return found != NULL;
}

ze_result_t zeMemGetAllocProperties(ze_context_handle_t context, const void *pointer,
    ze_memory_allocation_properties_t *properties, ze_device_handle_t *device)
{
    ZC_REQUIRE_HANDLE(context);
    ZC_REQUIRE_POINTER(pointer);
    ZC_REQUIRE_POINTER(properties);
    struct zc_allocation allocation = {.type = ZE_MEMORY_TYPE_UNKNOWN};
    const bool found = look_up(context, pointer, &allocation);
    properties->type = allocation.type;
    properties->id = allocation.id;
    properties->pageSize = found ? (uint64_t)sysconf(_SC_PAGESIZE) : 0;
    if (device)
        *device = allocation.device;
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeMemGetAddressRange(
    ze_context_handle_t context, const void *pointer, void **base, size_t *size)
{
    ZC_REQUIRE_HANDLE(context);
    ZC_REQUIRE_POINTER(pointer);
    struct zc_allocation allocation;
    ZC_REQUIRE(look_up(context, pointer, &allocation), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    if (base)
        *base = allocation.base;
    if (size)
        *size = allocation.size;
    return ZE_RESULT_SUCCESS;
}
