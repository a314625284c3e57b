// SPDX-License-Identifier: MIT
//
// Spans of the driver's memory, pools of them, and which span an address lies in.

#include "memory/memory.h"

#include "base/alloc.h"
#include "base/process.h"
#include "memory/ipc.h"

// --- Spans

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
    span->fences = request->fences;
    span->slot_shift = (uint8_t)request->slot_shift;
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
    span->start = memory;
    span->base = span->start + (request->fences ? request->fences->before : 0);
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
    span->start = span->base = base;
    span->imported = true;
    *created = span;
    return mez_ok();
}

static mez_error give_back(mez_platform *platform, const mez_span *span)
{
    if (span->imported)
        return ZE(zeMemCloseIpcHandle, platform->ze, span->start);
    return ZE(zeMemFree, platform->ze, span->start);
}

static void free_names(mez_span *span)
{
    for (uint32_t i = 0; i < span->slot_count; i++)
        mez_free_memory(span->slots[i].name);
}

mez_error mez_span_destroy(mez_platform *platform, mez_span *span)
{
    if (__builtin_expect(span->fences != NULL, 0)) {
        if (span->fences->retires)
            return mez_checked_retire(platform, span);
        mez_free_memory(span->fences);
    }
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
    while (mez_list_pop(&list, span, next)) {
        const mez_error error = mez_span_destroy(platform, span);
        if (mez_error_is(error, MEZ_ERRC_STRAY_WRITE))
            mez_checked_keep(platform->memory, error);
        else
            mez_log_error(MEZ_TOPIC_MEMORY, error);
    }
}

// --- Pools

// The granule of device memory; a smaller span would waste the rest of it.
#define SMALLEST_SPAN ((size_t)64 * 1024)
// Slots of the larger sizes in a span: enough that the driver is seldom asked.
#define FEWEST_SLOTS 32

mez_span_request mez_pool_request(mez_memory_kind kind, mez_device *device, uint32_t slot_shift)
{
    const size_t slots = (size_t)FEWEST_SLOTS << slot_shift;
    const size_t size = slots > SMALLEST_SPAN ? slots : SMALLEST_SPAN;
    return (mez_span_request){
        .kind = kind,
        .device = device,
        .size = size,
        .alignment = (size_t)1 << slot_shift, // so every slot is aligned to its size
        .slot_count = (uint32_t)(size >> slot_shift),
        .slot_shift = slot_shift,
    };
}

void mez_pool_add(mez_pool *pool, mez_span *span)
{
    span->pool = pool;
    mez_linked_push(&pool->with_room, span, with_room);
    if (!mez_pool_has_spare(pool, span))
        pool->empty = span;
}

mez_slot *mez_pool_take(mez_pool *pool)
{
    mez_span *span = pool->with_room;
    if (!span)
        return NULL;
    mez_slot *slot = span->free;
    span->free = slot->next;
    span->used++;
    if (!span->free)
        mez_linked_remove(span, with_room);
    return slot;
}

mez_span *mez_pool_give(mez_slot *slot)
{
    mez_span *span = slot->span;
    mez_pool *pool = span->pool;
    if (!span->free)
        mez_linked_push(&pool->with_room, span, with_room);
    mez_list_push(&span->free, slot, next);
    if (--span->used > 0)
        return NULL;
    if (!mez_pool_has_spare(pool, span)) {
        pool->empty = span;
        return NULL;
    }
    mez_linked_remove(span, with_room);
    return span;
}

mez_span *mez_pool_trim(mez_pool *pool)
{
    mez_span *empty = pool->empty;
    if (!empty || empty->used > 0)
        return NULL;
    pool->empty = NULL;
    mez_linked_remove(empty, with_room);
    return empty;
}

// --- The registry

// How many entries begin at or below the address.
static size_t position(const mez_registry *registry, uintptr_t address)
{
    size_t low = 0, high = registry->spans.count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (registry->spans.items[middle].base <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

mez_span *mez_registry_find(mez_registry *registry, const void *address)
{
    const size_t below = position(registry, (uintptr_t)address);
    if (below == 0)
        return NULL;
    mez_span *span = registry->spans.items[below - 1].span;
    if (!mez_span_holds(span, address))
        return NULL;
    if (span->pool)
        registry->recent[mez_registry_page(address)] = span;
    return span;
}

mez_span *mez_registry_find_within(const mez_registry *registry, const void *from, size_t size)
{
    const size_t below = position(registry, (uintptr_t)from + size - 1);
    if (below == 0 || registry->spans.items[below - 1].base <= (uintptr_t)from)
        return NULL;
    return registry->spans.items[below - 1].span;
}

bool mez_registry_insert(mez_registry *registry, mez_span *span)
{
    const uintptr_t start = (uintptr_t)span->start;
    const size_t place = position(registry, start);
    return mez_vector_insert(
        &registry->spans, place, (mez_known_span){.base = start, .span = span});
}

static void forget(mez_registry *registry, const mez_span *span)
{
    for (size_t i = 0; i < MEZ_REGISTRY_RECENT; i++)
        if (registry->recent[i] == span)
            registry->recent[i] = NULL;
}

void mez_registry_remove(mez_registry *registry, const mez_span *span)
{
    const size_t place = position(registry, (uintptr_t)span->start) - 1;
    forget(registry, span);
    mez_vector_remove(&registry->spans, place);
}

void mez_registry_finish(mez_registry *registry)
{
    mez_vector_finish(&registry->spans);
}

// --- What programs ask

static void describe_slot(const mez_slot *slot, const void *pointer, mez_memory_info *info)
{
    const mez_span *span = slot->span;
    char *base = mez_slot_address(slot);
    const size_t offset = (size_t)((const char *)pointer - base);
    const bool inside = slot->state == MEZ_SLOT_LIVE && offset < slot->size;
    *info = (mez_memory_info){
        .origin = inside ? MEZ_POINTER_ALLOCATION : MEZ_POINTER_FREED,
        .kind = span->kind,
        .device = span->kind == MEZ_MEMORY_HOST ? NULL : span->device,
    };
    if (!inside)
        return;
    info->base = base;
    info->size = slot->size;
    info->offset = offset;
    info->debug_name = slot->name;
}

static bool find_ours(struct mez_memory *memory, const void *pointer, mez_memory_info *info)
{
    mez_lock_take(&memory->lock);
    const mez_slot *slot = mez_memory_find(memory, pointer);
    if (slot)
        describe_slot(slot, pointer, info);
    mez_lock_release(&memory->lock);
    return slot != NULL;
}

static mez_device *find_device(mez_platform *platform, ze_device_handle_t ze)
{
    for (uint32_t i = 0; i < platform->device_total; i++)
        if (platform->devices[i].ze == ze)
            return &platform->devices[i];
    return NULL;
}

static mez_memory_kind kind_of(ze_memory_type_t type)
{
    switch (type) {
    case ZE_MEMORY_TYPE_HOST:
        return MEZ_MEMORY_HOST;
    case ZE_MEMORY_TYPE_SHARED:
        return MEZ_MEMORY_SHARED;
    default:
        return MEZ_MEMORY_DEVICE;
    }
}

static mez_error ask_driver(mez_platform *platform, const void *pointer, mez_memory_info *info)
{
    ze_memory_allocation_properties_t properties = {
        .stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES};
    ze_device_handle_t device = NULL;
    *info = (mez_memory_info){.origin = MEZ_POINTER_PLAIN};
    MEZ_TRY(ZE(zeMemGetAllocProperties, platform->ze, pointer, &properties, &device));
    if (properties.type == ZE_MEMORY_TYPE_UNKNOWN)
        return mez_ok();
    void *base;
    size_t size;
    MEZ_TRY(ZE(zeMemGetAddressRange, platform->ze, pointer, &base, &size));
    *info = (mez_memory_info){
        .origin = MEZ_POINTER_FOREIGN,
        .kind = kind_of(properties.type),
        .device = device ? find_device(platform, device) : NULL,
        .base = base,
        .size = size,
        .offset = (size_t)((const char *)pointer - (const char *)base),
    };
    return mez_ok();
}

mez_error mez_memory_find_info(mez_platform *platform, const void *pointer, mez_memory_info *info)
{
    if (find_ours(platform->memory, pointer, info))
        return mez_ok();
    return ask_driver(platform, pointer, info);
}

mez_error mez_memory_get_info_at(
    const mez_location *where, mez_context *context, const void *pointer, mez_memory_info *info)
{
    MEZ_REQUIRE(context, where);
    MEZ_REQUIRE(info, where);
    MEZ_REFUSE_CLOSED(__func__, where);
    return mez_error_add_place(
        mez_memory_find_info(mez_platform_of(context), pointer, info), where);
}
