// SPDX-License-Identifier: MIT
//
// Allocation of unified shared memory. All kinds are pages of the process (block.h); they differ in what is reported
// about them, and device memory has its pages to itself (ipc.h), as has shared memory that is watched (shared_use.h).
#include "memory.h"

#include "block.h"
#include "check.h"
#include "context.h"
#include "device.h"
#include "device_memory.h"
#include "external.h"
#include "ipc.h"
#include "memory_check.h"
#include "shared_use.h"
#include "stray.h"
#include "unwritten.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_ALIGNMENT ((size_t)1 << 30)

void zc_memory_map_init(struct zc_memory_map *map)
{
    *map = (struct zc_memory_map){.tree = ZC_ALLOCATION_TREE};
    pthread_mutex_init(&map->lock, NULL);
}

// The allocation that contains `address`, or NULL.
struct zc_allocation *zc_memory_map_find(const struct zc_memory_map *map, const void *address)
{
    struct zc_allocation *below = zc_tree_at_or_before(&map->tree, address);
    return below && (const char *)address < below->base + below->size ? below : NULL;
}

// The same, if the context knows it. What an image is made of is not theirs: they may ask of an address whether it is memory
// to find out that it is an image instead.
static struct zc_allocation *find_known(ze_context_handle_t context, const void *address)
{
    struct zc_allocation *found = zc_memory_map_find(context->memory, address);
    const bool is_known =
        found && !found->of_image && (!zc_settings.strict || found->context == context);
    return is_known ? found : NULL;
}

static bool insert(struct zc_memory_map *map, struct zc_allocation allocation)
{
    allocation.id = map->last_id + 1;
    const struct zc_allocation *inserted = zc_tree_insert(&map->tree, &allocation);
    if (!inserted)
        return false;
    map->last_id++;
    zc_note_allocated(inserted);
    return true;
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
        zc_tree_remove(&map->tree, found);
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

// Removes one, and says which comes next.
static struct zc_allocation *remove_one(struct zc_memory_map *map, struct zc_allocation *one)
{
    struct zc_allocation *next = zc_tree_next(&map->tree, one);
    zc_tree_remove(&map->tree, one);
    return next;
}

void zc_memory_map_return_one(struct zc_memory_map *map, const void *owner, const void *base)
{
    pthread_mutex_lock(&map->lock);
    struct zc_allocation *found = zc_memory_map_find(map, base);
    if (found && found->base == base && found->owner == owner)
        zc_tree_remove(&map->tree, found);
    pthread_mutex_unlock(&map->lock);
}

void zc_memory_map_return(struct zc_memory_map *map, const void *owner)
{
    pthread_mutex_lock(&map->lock);
    for (struct zc_allocation *one = zc_tree_first(&map->tree); one;)
        one = one->owner == owner ? remove_one(map, one) : zc_tree_next(&map->tree, one);
    pthread_mutex_unlock(&map->lock);
}

static bool insert_part(
    struct zc_memory_map *map, struct zc_allocation part, const char *begin, const char *end)
{
    if (begin >= end)
        return true;
    part.size = (size_t)(end - begin);
    part.base = (char *)(uintptr_t)begin;
    return insert(map, part);
}

// What is left may be a part in front and one behind; the front takes the place of the whole.
static bool cut(
    struct zc_memory_map *map, struct zc_allocation *whole, const char *base, const char *end)
{
    if (!insert_part(map, *whole, end > whole->base ? end : whole->base, whole->base + whole->size))
        return false;
    if (whole->base < base)
        whole->size = (size_t)(base - whole->base);
    else
        zc_tree_remove(&map->tree, whole);
    return true;
}

bool zc_memory_map_cut(struct zc_memory_map *map, const void *owner, const char *base, size_t size)
{
    const char *end = base + size;
    bool ok = true;
    pthread_mutex_lock(&map->lock);
    for (struct zc_allocation *one = zc_tree_first(&map->tree), *next; one && ok; one = next) {
        next = zc_tree_next(&map->tree, one);
        if (one->owner == owner && one->base < end && one->base + one->size > base)
            ok = cut(map, one, base, end);
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
    for (struct zc_allocation *one = zc_tree_first(&map->tree); one;) {
        if (one->context == context && one->exported)
            close(one->fd);
        one = one->context == context ? remove_one(map, one) : zc_tree_next(&map->tree, one);
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

// Memory of the program's or of other processes is theirs.
static bool counts(const struct zc_allocation *allocation)
{
    return allocation->type == ZE_MEMORY_TYPE_DEVICE && !allocation->foreign;
}

static ze_result_t map_block(struct zc_allocation *allocation, size_t alignment, bool owns_pages)
{
    if (counts(allocation) ? zc_device_memory_map(allocation, alignment)
                           : zc_block_map(allocation, alignment, owns_pages))
        return ZE_RESULT_SUCCESS;
    return allocation->device ? ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY
                              : ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
}

static void give_back(const struct zc_allocation *allocation)
{
    if (counts(allocation))
        zc_device_memory_give(allocation->device, allocation->size);
    if (allocation->exported)
        close(allocation->fd);
    zc_block_unmap(allocation);
}

// `fd`: of the file that it is imported from; -1: it is not.
static ze_result_t allocate(ze_context_handle_t context, struct zc_allocation allocation,
    size_t alignment, int fd, void **pointer)
{
    const bool watched =
        allocation.type == ZE_MEMORY_TYPE_SHARED && zc_shared_use_is_watched(allocation.device);
    const bool owns_pages = allocation.type == ZE_MEMORY_TYPE_DEVICE || watched;
    allocation.context = context;
    zc_stray_watch(context->memory);
    const ze_result_t mapped = fd < 0 ? map_block(&allocation, alignment, owns_pages)
                                      : zc_external_map(&allocation, alignment, fd);
    ZC_PASS(mapped);
    if (!make_known(context->memory, &allocation, watched)) {
        give_back(&allocation);
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
    ze_result_t checked = zc_external_check(desc->pNext, true);
    ZC_PASS(checked);
    size = size ? size : zc_external_size(desc->pNext);
    checked = check_device_allocation(context, device, desc, size, alignment);
    ZC_PASS(checked);
    const struct zc_allocation allocation = {
        .size = size, .type = ZE_MEMORY_TYPE_DEVICE, .device = device};
    return allocate(context, allocation, alignment, zc_external_import(desc->pNext), pointer);
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
        (checked = check_device_allocation(context, device, device_desc, size, alignment)) ||
        (checked = zc_external_check(device_desc->pNext, false)) ||
        (checked = zc_external_check(host_desc->pNext, false)))
        return checked;
    const struct zc_allocation allocation = {
        .size = size, .type = ZE_MEMORY_TYPE_SHARED, .device = device};
    return allocate(context, allocation, alignment, -1, pointer);
}

ze_result_t zeMemAllocHost(ze_context_handle_t context, const ze_host_mem_alloc_desc_t *desc,
    size_t size, size_t alignment, void **pointer)
{
    ZC_REQUIRE_HANDLE(context);
    ZC_REQUIRE_POINTER(desc);
    ZC_REQUIRE_POINTER(pointer);
    ZC_REQUIRE(size, ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
    ze_result_t checked;
    if ((checked = check_host_desc(desc)) || (checked = check_alignment(alignment)) ||
        (checked = zc_external_check(desc->pNext, false)))
        return checked;
    const struct zc_allocation allocation = {.size = size, .type = ZE_MEMORY_TYPE_HOST};
    return allocate(context, allocation, alignment, -1, pointer);
}

ze_result_t zeMemFree(ze_context_handle_t context, void *pointer)
{
    ZC_REQUIRE_HANDLE(context);
    ZC_REQUIRE_POINTER(pointer);
    struct zc_allocation allocation;
    zc_shared_use_remove(context, pointer);
    ZC_REQUIRE(
        zc_memory_map_take(context, pointer, false, &allocation), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    if (counts(&allocation))
        zc_device_memory_give(allocation.device, allocation.size);
    zc_stray_report_write(&allocation);
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

bool zc_memory_map_look_up(
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
    const bool found = zc_memory_map_look_up(context, pointer, &allocation);
    properties->type = allocation.type;
    properties->id = allocation.id;
    properties->pageSize = found ? (uint64_t)sysconf(_SC_PAGESIZE) : 0;
    if (device)
        *device = allocation.device;
    return found ? zc_external_query(context, pointer, properties->pNext) : ZE_RESULT_SUCCESS;
}

ze_result_t zeMemGetAddressRange(
    ze_context_handle_t context, const void *pointer, void **base, size_t *size)
{
    ZC_REQUIRE_HANDLE(context);
    ZC_REQUIRE_POINTER(pointer);
    struct zc_allocation allocation;
    ZC_REQUIRE(
        zc_memory_map_look_up(context, pointer, &allocation), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    if (base)
        *base = allocation.base;
    if (size)
        *size = allocation.size;
    return ZE_RESULT_SUCCESS;
}
