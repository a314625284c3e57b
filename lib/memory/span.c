// SPDX-License-Identifier: MIT

#include "memory/span.h"

#include "base/alloc.h"
#include "memory/ipc.h"

const char *mez_memory_kind_name(mez_memory_kind kind)
{
    static const char *const names[MEZ_MEMORY_KINDS] = {
        [MEZ_MEMORY_DEVICE] = "device",
        [MEZ_MEMORY_HOST] = "host",
        [MEZ_MEMORY_SHARED] = "shared",
    };
    return names[kind];
}

// Half of what an allocation above the device's limit needs; the other half is a flag for the compiler (image.c).
static bool needs_relaxed_limits(const mez_platform *platform, const mez_span_request *request)
{
    return platform->large_buffers && platform->caps.relaxed_allocation_limits &&
           request->size > request->device->info.max_alloc_size;
}

static mez_error allocate(mez_platform *platform, const mez_span_request *request, void **memory)
{
    const ze_relaxed_allocation_limits_exp_desc_t relaxed = {
        .stype = ZE_STRUCTURE_TYPE_RELAXED_ALLOCATION_LIMITS_EXP_DESC,
        .flags = ZE_RELAXED_ALLOCATION_LIMITS_EXP_FLAG_MAX_SIZE,
    };
    const void *next = needs_relaxed_limits(platform, request) ? &relaxed : NULL;
    const ze_device_mem_alloc_desc_t on_device = {
        .stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, .pNext = next};
    const ze_host_mem_alloc_desc_t on_host = {
        .stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC, .pNext = next};
    const size_t size = request->size, alignment = request->alignment;
    const ze_device_handle_t device = request->device->ze;
    switch (request->kind) {
    case MEZ_MEMORY_DEVICE:
        return ZE(zeMemAllocDevice, platform->ze, &on_device, size, alignment, device, memory);
    case MEZ_MEMORY_HOST:
        return ZE(zeMemAllocHost, platform->ze, &on_host, size, alignment, memory);
    default:
        return ZE(
            zeMemAllocShared, platform->ze, &on_device, &on_host, size, alignment, device, memory);
    }
}

static mez_span *make_span(const mez_span_request *request)
{
    const size_t slots = request->slot_count * sizeof(mez_slot);
    mez_span *span = mez_alloc_array(1, sizeof *span + slots);
    if (!span)
        return NULL;
    span->kind = request->kind;
    span->device = request->device;
    span->size = request->size;
    span->slot_shift = request->slot_shift;
    span->slot_mask = ((size_t)1 << request->slot_shift) - 1;
    span->slot_count = request->slot_count;
    for (uint32_t i = span->slot_count; i-- > 0;) {
        span->slots[i].span = span;
        mez_list_push(&span->free, &span->slots[i], next);
    }
    return span;
}

static void note_change(mez_platform *platform)
{
    atomic_fetch_add_explicit(&platform->allocation_generation, 1, memory_order_release);
}

mez_error mez_span_create(
    mez_platform *platform, const mez_span_request *request, mez_span **created)
{
    mez_span *span = make_span(request);
    if (!span)
        return mez_error_no_memory("the record of an allocation");
    void *memory = NULL;
    const mez_error error = allocate(platform, request, &memory);
    if (mez_failed(error)) {
        mez_free_memory(span);
        return error;
    }
    note_change(platform);
    span->base = memory;
    *created = span;
    return error;
}

mez_error mez_span_import(
    mez_platform *platform, const mez_span_request *request, void *base, mez_span **created)
{
    mez_span *span = make_span(request);
    if (!span)
        return mez_error_no_memory("the record of an allocation");
    note_change(platform);
    span->base = base;
    span->imported = true;
    *created = span;
    return mez_ok();
}

static mez_error give_back(mez_platform *platform, const mez_span *span)
{
    if (span->imported)
        return ZE(zeMemCloseIpcHandle, platform->ze, span->base);
    return ZE(zeMemFree, platform->ze, span->base);
}

static void free_names(mez_span *span)
{
    for (uint32_t i = 0; i < span->slot_count; i++)
        mez_free_memory(span->slots[i].name);
}

mez_error mez_span_destroy(mez_platform *platform, mez_span *span)
{
    const mez_error error = give_back(platform, span);
    note_change(platform);
    if (span->shared)
        mez_descriptor_finish(&span->shared->descriptor);
    mez_free_memory(span->shared);
    free_names(span);
    mez_free_memory(span);
    return error;
}

void mez_spans_destroy(mez_platform *platform, mez_span *list)
{
    mez_span *span;
    while (mez_list_pop(&list, span, next))
        mez_log_error(MEZ_TOPIC_MEMORY, mez_span_destroy(platform, span));
}
