// SPDX-License-Identifier: MIT

#include <mezzanine/ipc.h>

#include "device/lost.h"
#include "memory/memory.h"

// Says what the pointer is instead.
static mez_error not_an_allocation(mez_context *context, const char *call, const void *pointer)
{
    mez_error error = mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
        "%s: %p is not the start of an allocation of this context", call, pointer);
    mez_memory_info info;
    if (mez_failed(mez_memory_query(context, pointer, &info)))
        return error;
    switch (info.origin) {
    case MEZ_POINTER_ALLOCATION:
        if (info.offset == 0)
            return mez_error_add(error, "pointer",
                "mez_ipc_close gives up what mez_ipc_open returned, mez_free what mez_alloc "
                "returned");
        return mez_error_add(error, "pointer", "%zu bytes into an allocation of %zu bytes, \"%s\"",
            info.offset, info.size, info.debug_name ? info.debug_name : "no name");
    case MEZ_POINTER_FREED:
        return mez_error_add(error, "pointer", "in memory of this context that has been freed");
    case MEZ_POINTER_FOREIGN:
        return mez_error_add(error, "pointer",
            "USM that was not allocated by mez_alloc: free it where it comes from");
    default:
        return mez_error_add(
            error, "pointer", "unknown to the driver: freed already, or plain host memory");
    }
}

// The caller holds the lock. NULL: no allocation begins there.
static mez_slot *find_live(const struct mez_memory *memory, const void *pointer, bool imported)
{
    mez_slot *slot = mez_memory_find(memory, pointer);
    const bool live = slot && slot->state == MEZ_SLOT_LIVE && slot->span->imported == imported &&
                      mez_slot_address(slot) == pointer;
    return live ? slot : NULL;
}

// The caller holds the lock.
static void let_go(struct mez_memory *memory, mez_slot *slot, mez_span **unused)
{
    mez_memory_usage *usage = &memory->usage[slot->span->kind];
    usage->allocations--;
    usage->bytes -= slot->size;
    if (memory->waiting)
        mez_memory_collect(memory, unused);
    if (mez_memory_is_busy(memory))
        mez_memory_defer(memory, slot);
    else
        mez_memory_release(memory, slot, unused);
}

// The first failure is the caller's, the others are logged.
static mez_error destroy_all(mez_platform *platform, mez_span *unused)
{
    if (!unused)
        return mez_ok();
    mez_span *rest = unused->next;
    const mez_error error = mez_span_destroy(platform, unused);
    mez_spans_destroy(platform, rest);
    return error;
}

// `imported`: opened by mez_ipc_open. `call` is for messages.
static mez_error give_up(mez_context *context, void *pointer, bool imported, const char *call)
{
    mez_platform *platform = mez_platform_of(context);
    struct mez_memory *memory = platform->memory;
    mez_span *unused = NULL;
    mez_lock_take(&memory->lock);
    mez_slot *slot = find_live(memory, pointer, imported);
    if (slot)
        let_go(memory, slot, &unused);
    mez_lock_release(&memory->lock);
    if (!slot)
        return not_an_allocation(context, call, pointer);
    const mez_error error = destroy_all(platform, unused);
    if (!mez_failed(error))
        return error;
    return mez_platform_note_loss(
        platform, mez_error_headline(error, "%s: the driver did not take memory back", call));
}

mez_error mez_free(mez_context *context, void *pointer)
{
    if (!pointer)
        return mez_ok();
    MEZ_REQUIRE(context, NULL);
    return give_up(context, pointer, false, "mez_free");
}

mez_error mez_ipc_close(mez_context *context, void *pointer)
{
    if (!pointer)
        return mez_ok();
    MEZ_REQUIRE(context, NULL);
    return give_up(context, pointer, true, "mez_ipc_close");
}
