// SPDX-License-Identifier: MIT
#include "residency.h"

#include "check.h"
#include "context.h"
#include "virtual_memory.h"

#include <image.h>
#include <string.h>

// ---- what a launch reaches ----

static ze_kernel_indirect_access_flags_t flag_of(const struct zc_allocation *allocation)
{
    return allocation->type == ZE_MEMORY_TYPE_HOST     ? ZE_KERNEL_INDIRECT_ACCESS_FLAG_HOST
           : allocation->type == ZE_MEMORY_TYPE_SHARED ? ZE_KERNEL_INDIRECT_ACCESS_FLAG_SHARED
                                                       : ZE_KERNEL_INDIRECT_ACCESS_FLAG_DEVICE;
}

// Of memory of a reservation: does the address lie in that? Kernels are given the address of the whole.
static bool contains(const struct zc_allocation *allocation, const char *address)
{
    const struct zc_reservation *reservation = allocation->reservation;
    if (reservation)
        return address >= reservation->base && address < reservation->base + reservation->size;
    return address >= allocation->base && address < allocation->base + allocation->size;
}

bool zc_argument_get_address(
    const struct zc_argument *argument, const char *blob, const char **address)
{
    if (argument->kind != ZC_ARGUMENT_GLOBAL && argument->kind != ZC_ARGUMENT_IMAGE)
        return false;
    memcpy(address, blob + argument->offset, sizeof *address);
    if (argument->kind == ZC_ARGUMENT_IMAGE)
        *address =
            (const char *)(uintptr_t)((const struct zc_image *)(const void *)*address)->texels;
    return true;
}

// Of an image kernels read the description, too, which is an allocation by itself.
static bool is_description(
    const struct zc_argument *argument, const char *blob, const struct zc_allocation *allocation)
{
    const char *address;
    memcpy(&address, blob + argument->offset, sizeof address);
    return argument->kind == ZC_ARGUMENT_IMAGE && contains(allocation, address);
}

static bool is_argument(
    const struct zc_residency *residency, const struct zc_allocation *allocation)
{
    for (uint32_t i = 0; i < residency->kernel->argument_count; i++) {
        const struct zc_argument *argument = &residency->kernel->arguments[i];
        const char *address;
        if (zc_argument_get_address(argument, residency->blob, &address) &&
            (contains(allocation, address) ||
                is_description(argument, residency->blob, allocation)))
            return true;
    }
    return false;
}

bool zc_is_resident(const struct zc_residency *residency, const struct zc_allocation *allocation)
{
    return allocation->resident || (residency->indirect & flag_of(allocation)) ||
           (allocation->owner && allocation->owner == residency->module) ||
           is_argument(residency, allocation);
}

// ---- what is made resident for all ----

static ze_result_t make_resident(struct zc_allocation *allocation)
{
    allocation->resident = true;
    return ZE_RESULT_SUCCESS;
}

static ze_result_t evict(struct zc_allocation *allocation)
{
    allocation->resident = false;
    return ZE_RESULT_SUCCESS;
}

// Any other memory of the process is always within the device's reach.
static ze_result_t change(ze_context_handle_t context, ze_device_handle_t device, void *pointer,
    size_t size, ze_result_t (*how)(struct zc_allocation *allocation))
{
    const char *at = pointer;
    struct zc_allocation changed;
    ZC_REQUIRE_HANDLE(context);
    ZC_REQUIRE_HANDLE(device);
    ZC_REQUIRE_POINTER(pointer);
    ZC_REQUIRE(size, ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
    while (!zc_memory_map_change(context, at, how, &changed) && changed.reservation) {
        at = changed.base + changed.size; // of the range more may lie in other mappings
        if ((size_t)(at - (const char *)pointer) >= size)
            break;
    }
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeContextMakeMemoryResident(
    ze_context_handle_t context, ze_device_handle_t device, void *pointer, size_t size)
{
    return change(context, device, pointer, size, make_resident);
}

ze_result_t zeContextEvictMemory(
    ze_context_handle_t context, ze_device_handle_t device, void *pointer, size_t size)
{
    return change(context, device, pointer, size, evict);
}
