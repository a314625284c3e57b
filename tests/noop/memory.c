// SPDX-License-Identifier: MIT
// Allocations: host memory for every kind, in a list that knows what each pointer is.
#include "internal.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards the list
static struct noop_allocation *allocations;
static uint64_t last_id;

static void insert(struct noop_allocation *allocation)
{
    pthread_mutex_lock(&lock);
    allocation->id = ++last_id;
    allocation->next = allocations;
    allocations = allocation;
    pthread_mutex_unlock(&lock);
    noop_count_live(NOOP_MEMORY, 1);
}

// The place in the list of what holds the address, or of the NULL at its end.
static struct noop_allocation **find(const void *address)
{
    struct noop_allocation **place = &allocations;
    while (*place != NULL) {
        const size_t offset = (uintptr_t)address - (uintptr_t)(*place)->base;
        if ((uintptr_t)address >= (uintptr_t)(*place)->base && offset < (*place)->size)
            break;
        place = &(*place)->next;
    }
    return place;
}

bool noop_memory_look_up(const void *address, struct noop_allocation *found)
{
    pthread_mutex_lock(&lock);
    const struct noop_allocation *allocation = *find(address);
    if (allocation != NULL)
        *found = *allocation;
    pthread_mutex_unlock(&lock);
    return allocation != NULL;
}

int noop_memory_set_descriptor(const void *base, int fd)
{
    pthread_mutex_lock(&lock);
    struct noop_allocation *allocation = *find(base);
    if (allocation != NULL && allocation->fd < 0)
        allocation->fd = fd;
    const int has = allocation != NULL ? allocation->fd : -1;
    pthread_mutex_unlock(&lock);
    return has;
}

static struct noop_allocation *take_out(const void *base, bool imported)
{
    pthread_mutex_lock(&lock);
    struct noop_allocation **place = find(base);
    struct noop_allocation *allocation = *place;
    if (allocation != NULL && allocation->base == base && allocation->imported == imported)
        *place = allocation->next;
    else
        allocation = NULL;
    pthread_mutex_unlock(&lock);
    return allocation;
}

ze_result_t noop_memory_create(
    const struct noop_allocation *wanted, size_t alignment, void **pointer)
{
    struct noop_allocation *allocation = calloc(1, sizeof *allocation);
    void *memory = NULL;
    if (allocation == NULL || posix_memalign(&memory, alignment, wanted->size) != 0) {
        free(allocation);
        return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    }
    *allocation = *wanted;
    allocation->base = memory;
    insert(allocation);
    *pointer = memory;
    return ZE_RESULT_SUCCESS;
}

bool noop_memory_destroy(const void *base, bool imported)
{
    struct noop_allocation *allocation = take_out(base, imported);
    if (allocation == NULL)
        return false;
    if (allocation->fd >= 0 && !noop_config_get().ipc_leaves_descriptor)
        close(allocation->fd);
    free(allocation->base);
    free(allocation);
    noop_count_live(NOOP_MEMORY, -1);
    return true;
}

// Does the driver list the extension, and does the chain of descriptors ask for it?
static bool limit_is_relaxed(const void *next)
{
    const struct noop_config config = noop_config_get();
    const ze_relaxed_allocation_limits_exp_desc_t *desc = next;
    while (desc != NULL && desc->stype != ZE_STRUCTURE_TYPE_RELAXED_ALLOCATION_LIMITS_EXP_DESC)
        desc = desc->pNext;
    return desc != NULL && (desc->flags & ZE_RELAXED_ALLOCATION_LIMITS_EXP_FLAG_MAX_SIZE) &&
           noop_config_lists(&config, ZE_RELAXED_ALLOCATION_LIMITS_EXP_NAME);
}

static ze_result_t allocate(const void *next, size_t size, size_t alignment, ze_memory_type_t type,
    ze_device_handle_t device, void **pointer)
{
    if (size == 0)
        return ZE_RESULT_ERROR_UNSUPPORTED_SIZE;
    if (size > noop_config_get().max_allocation_size && !limit_is_relaxed(next))
        return ZE_RESULT_ERROR_UNSUPPORTED_SIZE;
    if ((alignment & (alignment - 1)) != 0)
        return ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT;
    if (alignment < 64)
        alignment = 64;

    const struct noop_allocation wanted = {.size = size, .type = type, .device = device, .fd = -1};
    return noop_memory_create(&wanted, alignment, pointer);
}

static ze_result_t release(const void *pointer, ze_result_t planned)
{
    return noop_memory_destroy(pointer, false) ? planned : ZE_RESULT_ERROR_INVALID_ARGUMENT;
}

ze_result_t noop_zeMemAllocShared(ze_context_handle_t context,
    const ze_device_mem_alloc_desc_t *device_desc, const ze_host_mem_alloc_desc_t *host_desc,
    size_t size, size_t alignment, ze_device_handle_t device, void **pointer)
{
    NOOP_ENTER(zeMemAllocShared);
    (void)context, (void)host_desc;
    return allocate(device_desc->pNext, size, alignment, ZE_MEMORY_TYPE_SHARED, device, pointer);
}

ze_result_t noop_zeMemAllocDevice(ze_context_handle_t context,
    const ze_device_mem_alloc_desc_t *desc, size_t size, size_t alignment,
    ze_device_handle_t device, void **pointer)
{
    NOOP_ENTER(zeMemAllocDevice);
    (void)context;
    return allocate(desc->pNext, size, alignment, ZE_MEMORY_TYPE_DEVICE, device, pointer);
}

ze_result_t noop_zeMemAllocHost(ze_context_handle_t context, const ze_host_mem_alloc_desc_t *desc,
    size_t size, size_t alignment, void **pointer)
{
    NOOP_ENTER(zeMemAllocHost);
    (void)context;
    return allocate(desc->pNext, size, alignment, ZE_MEMORY_TYPE_HOST, NULL, pointer);
}

ze_result_t noop_zeMemFree(ze_context_handle_t context, void *pointer)
{
    (void)context;
    return release(pointer, noop_enter(NOOP_zeMemFree));
}

ze_result_t noop_zeMemFreeExt(
    ze_context_handle_t context, const ze_memory_free_ext_desc_t *desc, void *pointer)
{
    (void)context, (void)desc;
    return release(pointer, noop_enter(NOOP_zeMemFreeExt));
}

ze_result_t noop_zeMemGetAllocProperties(ze_context_handle_t context, const void *pointer,
    ze_memory_allocation_properties_t *properties, ze_device_handle_t *device)
{
    NOOP_ENTER(zeMemGetAllocProperties);
    (void)context;
    struct noop_allocation found = {.type = ZE_MEMORY_TYPE_UNKNOWN};
    noop_memory_look_up(pointer, &found);
    properties->type = found.type;
    properties->id = found.id;
    properties->pageSize = found.base != NULL ? 4096 : 0;
    if (device != NULL)
        *device = found.device;
    return ZE_RESULT_SUCCESS;
}

ze_result_t noop_zeMemGetAddressRange(
    ze_context_handle_t context, const void *pointer, void **base, size_t *size)
{
    NOOP_ENTER(zeMemGetAddressRange);
    (void)context;
    struct noop_allocation found;
    if (!noop_memory_look_up(pointer, &found))
        return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    if (base != NULL)
        *base = found.base;
    if (size != NULL)
        *size = found.size;
    return ZE_RESULT_SUCCESS;
}
