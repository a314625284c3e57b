// SPDX-License-Identifier: MIT

#include <mezzanine/memory.h>

#include "device/platform.h"

static const char *kind_name(mez_memory_kind kind)
{
    static const char *const names[] = {"device", "host", "shared"};
    return names[kind];
}

static mez_error allocate(mez_platform *platform, const mez_device *device,
    const mez_memory_params *params, size_t size, void **memory)
{
    const ze_device_mem_alloc_desc_t on_device = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
    const ze_host_mem_alloc_desc_t on_host = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
    const size_t alignment = params->alignment;
    switch (params->kind) {
    case MEZ_MEMORY_DEVICE:
        return ZE(zeMemAllocDevice, platform->ze, &on_device, size, alignment, device->ze, memory);
    case MEZ_MEMORY_HOST:
        return ZE(zeMemAllocHost, platform->ze, &on_host, size, alignment, memory);
    default:
        return ZE(zeMemAllocShared, platform->ze, &on_device, &on_host, size, alignment, device->ze,
            memory);
    }
}

static mez_error check_params(const mez_memory_params *params, size_t size)
{
    if (size == 0)
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER, "an allocation of 0 bytes");
    if (params->kind > MEZ_MEMORY_SHARED)
        return mez_error_make(
            MEZ_ERRC_INVALID_PARAMETER, "memory kind %d does not exist", (int)params->kind);
    if (params->alignment & (params->alignment - 1))
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "an alignment of %zu bytes is no power of two", params->alignment);
    return mez_ok();
}

// Drivers differ in what they say to a size beyond the device's limit; we say it first.
static mez_error check_limit(const mez_device *device, size_t size)
{
    const uint64_t limit = device->info.max_alloc_size;
    if (size <= limit)
        return mez_ok();
    return mez_error_make(MEZ_ERRC_MEMORY_ALLOCATION,
        "an allocation of %zu bytes: device \"%s\" allows %llu at once", size, device->info.name,
        (unsigned long long)limit);
}

static mez_error alloc(
    mez_context *context, const mez_memory_params *params, size_t size, void **memory)
{
    mez_platform *platform = mez_platform_of(context);
    mez_device *device;
    MEZ_TRY(check_params(params, size));
    MEZ_TRY(mez_platform_device(platform, params->device, &device));
    MEZ_TRY(check_limit(device, size));
    const mez_error error = allocate(platform, device, params, size, memory);
    if (mez_failed(error)) {
        *memory = NULL;
        const char *name = params->debug_name ? params->debug_name : "no name";
        return mez_error_headline(error, "no %s memory of %zu bytes (\"%s\") on device \"%s\"",
            kind_name(params->kind), size, name, device->info.name);
    }
    mez_platform_count(platform, MEZ_OBJECT_ALLOCATION);
    return mez_ok();
}

void *mez_alloc_at(const mez_location *where, mez_context *context, const mez_memory_params *params,
    size_t size, mez_error *error)
{
    static const mez_memory_params defaults;
    void *memory = NULL;
    mez_error outcome =
        context ? alloc(context, params ? params : &defaults, size, &memory)
                : mez_error_make(MEZ_ERRC_INVALID_PARAMETER, "an allocation needs a context");
    outcome = mez_error_add_place(outcome, where);
    if (error)
        *error = outcome;
    return memory;
}

void *mez_alloc_device_at(
    const mez_location *where, mez_context *context, size_t size, mez_error *error)
{
    return mez_alloc_at(
        where, context, &(mez_memory_params){.kind = MEZ_MEMORY_DEVICE}, size, error);
}

void *mez_alloc_host_at(
    const mez_location *where, mez_context *context, size_t size, mez_error *error)
{
    return mez_alloc_at(where, context, &(mez_memory_params){.kind = MEZ_MEMORY_HOST}, size, error);
}

void *mez_alloc_shared_at(
    const mez_location *where, mez_context *context, size_t size, mez_error *error)
{
    return mez_alloc_at(
        where, context, &(mez_memory_params){.kind = MEZ_MEMORY_SHARED}, size, error);
}

mez_error mez_free(mez_context *context, void *pointer)
{
    if (!pointer)
        return mez_ok();
    MEZ_REQUIRE(context, NULL);
    mez_platform *platform = mez_platform_of(context);
    const ze_result_t result = ZE_RESULT(zeMemFree, platform->ze, pointer);
    if (result == ZE_RESULT_ERROR_INVALID_ARGUMENT)
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "mez_free: %p is not the start of an allocation of this context", pointer);
    if (result != ZE_RESULT_SUCCESS)
        return mez_error_headline(
            mez_ze_checked(result, "zeMemFree(platform->ze, pointer)", __FILE__, __LINE__),
            "mez_free: %p can't be freed", pointer);
    mez_platform_uncount(platform, MEZ_OBJECT_ALLOCATION);
    return mez_ok();
}
