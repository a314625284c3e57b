// SPDX-License-Identifier: MIT
#include "device_memory.h"

#include "block.h"

static bool take(ze_device_handle_t device, uint64_t size)
{
    uint64_t used = atomic_load(&device->used_memory);
    do {
        if (size > device->total_memory - used)
            return false;
    } while (!atomic_compare_exchange_weak(&device->used_memory, &used, used + size));
    return true;
}

bool zc_device_memory_take(ze_device_handle_t device, uint64_t size)
{
    if (!take(device, size))
        return false;
    if (device == device->whole || take(device->whole, size))
        return true;
    atomic_fetch_sub(&device->used_memory, size);
    return false;
}

void zc_device_memory_give(ze_device_handle_t device, uint64_t size)
{
    atomic_fetch_sub(&device->used_memory, size);
    if (device != device->whole)
        atomic_fetch_sub(&device->whole->used_memory, size);
}

bool zc_device_memory_map(struct zc_allocation *allocation, size_t alignment)
{
    if (!zc_device_memory_take(allocation->device, allocation->size))
        return false;
    if (zc_block_map(allocation, alignment, true))
        return true;
    zc_device_memory_give(allocation->device, allocation->size);
    return false;
}

uint64_t zc_device_memory_used(ze_device_handle_t device)
{
    return atomic_load(&device->used_memory);
}
