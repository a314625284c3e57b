// SPDX-License-Identifier: MIT

#include "memory/registry.h"

#include "memory/memory.h"

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

bool mez_registry_insert(mez_registry *registry, mez_span *span)
{
    const uintptr_t base = (uintptr_t)span->base;
    const size_t place = position(registry, base);
    return mez_vector_insert(&registry->spans, place, (mez_known_span){.base = base, .span = span});
}

static void forget(mez_registry *registry, const mez_span *span)
{
    for (size_t i = 0; i < MEZ_REGISTRY_RECENT; i++)
        if (registry->recent[i] == span)
            registry->recent[i] = NULL;
}

void mez_registry_remove(mez_registry *registry, const mez_span *span)
{
    const size_t place = position(registry, (uintptr_t)span->base) - 1;
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
    return mez_error_add_place(
        mez_memory_find_info(mez_platform_of(context), pointer, info), where);
}
