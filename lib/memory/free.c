// SPDX-License-Identifier: MIT

#include "memory/memory.h"

#include <mezzanine/ipc.h>

#include "device/platform.h"
#include "trace/graph.h"
#include "traced_calls.h"

// `otherwise`: what it is if it is not known as freed.
static mez_error add_freed(
    mez_error error, mez_platform *platform, const void *pointer, const char *otherwise)
{
    mez_text text = {0};
    const bool freed = mez_address_describe_freed(platform, pointer, &text);
    error = mez_error_add(error, "pointer", "%s", freed ? mez_text_get(&text) : otherwise);
    mez_text_finish(&text);
    return error;
}

// Says what the pointer is instead.
static mez_error not_an_allocation(mez_platform *platform, const char *call, const void *pointer)
{
    mez_error error = mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
        "%s: %p is not the start of an allocation of this context", call, pointer);
    mez_memory_info info;
    if (mez_failed(mez_memory_find_info(platform, pointer, &info)))
        return error;
    switch (info.origin) {
    case MEZ_POINTER_ALLOCATION:
        if (info.offset == 0)
            return mez_error_add(error, "pointer",
                "mez_ipc_close gives up what mez_ipc_open returned, mez_free what mez_alloc "
                "returned");
        return mez_error_add(error, "pointer", "%zu bytes into an allocation of %zu bytes%s%s%s",
            info.offset, info.size, info.debug_name ? ", \"" : "",
            info.debug_name ? info.debug_name : "", info.debug_name ? "\"" : "");
    case MEZ_POINTER_FREED:
        return add_freed(
            error, platform, pointer, "in memory of this context where nothing is allocated");
    case MEZ_POINTER_FOREIGN:
        return mez_error_add(error, "pointer",
            "USM that was not allocated by mez_alloc: free it where it comes from");
    default:
        return add_freed(error, platform, pointer,
            "unknown to the driver: freed long ago, or plain host memory");
    }
}

// The caller holds the lock. NULL: no allocation begins there.
static mez_slot *find_live(struct mez_memory *memory, const void *pointer, bool imported)
{
    mez_slot *slot = mez_memory_find(memory, pointer);
    const bool live = slot && slot->state == MEZ_SLOT_LIVE && slot->span->imported == imported &&
                      mez_slot_address(slot) == pointer;
    return live ? slot : NULL;
}

// The caller holds the lock.
static void let_go(
    struct mez_memory *memory, mez_slot *slot, const mez_location *where, mez_span **unused)
{
    mez_memory_usage *usage = slot->span->usage;
    mez_place_note_free(&slot->where, where);
    if (!slot->span->pool)
        mez_memory_note_freed(memory, mez_slot_address(slot), slot->size, &slot->where);
    // The driver is asked for nothing, but what kernels were given must be checked again.
    if (memory->checked)
        atomic_fetch_add(&memory->platform->allocation_generation, 1);
    usage->allocations--;
    usage->bytes -= slot->size;
    if (memory->waiting)
        mez_memory_collect(memory, unused);
    mez_memory_count_free(memory);
    if (mez_memory_is_busy(memory))
        mez_memory_defer(memory, slot);
    else
        mez_memory_release(memory, slot, unused);
}

// The first failure is the caller's, the others are logged.
static mez_error destroy_all(mez_platform *platform, const char *call, mez_span *unused)
{
    mez_span *rest = unused->next;
    mez_error error = mez_span_destroy(platform, unused);
    mez_spans_destroy(platform, rest);
    if (!mez_failed(error) || mez_error_is(error, MEZ_ERRC_STRAY_WRITE)) // it is freed all the same
        return error;
    error = mez_platform_note_loss(
        platform, mez_error_headline(error, "%s: the driver did not take memory back", call));
    MEZ_PROBE_FAILURE(call, error);
    return error;
}

static mez_error refuse(mez_platform *platform, const char *call, const void *pointer)
{
    const mez_error error = not_an_allocation(platform, call, pointer);
    MEZ_PROBE_FAILURE(call, error);
    return error;
}

// The caller holds the lock, which is released here. `imported`: opened by mez_ipc_open.
static __attribute__((noinline)) mez_error give_up_locked(
    const mez_location *where, struct mez_memory *memory, void *pointer, bool imported)
{
    const char *call = imported ? "mez_ipc_close" : "mez_free";
    mez_span *unused = NULL;
    mez_slot *slot = find_live(memory, pointer, imported);
    if (slot)
        let_go(memory, slot, where, &unused);
    mez_lock_release(&memory->lock);
    if (!pointer)
        return mez_ok();
    if (!slot)
        return mez_error_add_place(refuse(memory->platform, call, pointer), where);
    return unused ? mez_error_add_place(destroy_all(memory->platform, call, unused), where)
                  : mez_ok();
}

static __attribute__((noinline)) mez_error give_up(
    const mez_location *where, struct mez_memory *memory, void *pointer, bool imported)
{
    mez_lock_take(&memory->lock);
    return give_up_locked(where, memory, pointer, imported);
}

// A look at all queues costs as much as the look that each free takes at those which do not doze.
#define FREES_BETWEEN_LOOKS 256

__attribute__((cold, noinline)) static void let_idle_doze(struct mez_memory *memory);

// The caller holds the lock. Gives a slot of a pool back where nobody has to wait, to be notified or to be asked; false: that is
// not so, and nothing has changed.
static inline bool release_easily(
    const mez_location *where, struct mez_memory *memory, const void *pointer)
{
    if (memory->waiting || mez_memory_may_be_busy(memory))
        return false;
    mez_span *span = mez_registry_recent(&memory->registry, pointer);
    if (!span)
        return false;
    const size_t offset = (uintptr_t)pointer - (uintptr_t)span->start;
    mez_slot *slot = &span->slots[offset >> span->slot_shift];
    if ((offset & span->slot_mask) || slot->state != MEZ_SLOT_LIVE || slot->name ||
        !mez_pool_give_easily(span, slot))
        return false;
    span->usage->allocations--;
    slot->state = MEZ_SLOT_FREE;
    mez_place_note_free(&slot->where, where);
    span->usage->bytes -= slot->size;
    if (__builtin_expect(
            mez_memory_count_free(memory) - memory->looked_at >= FREES_BETWEEN_LOOKS, 0))
        let_idle_doze(memory);
    return true;
}

static __attribute__((noinline)) mez_error wake_and_return(mez_lock *lock)
{
    mez_lock_wake(lock);
    return mez_ok();
}

static __attribute__((noinline)) mez_error no_context(
    const mez_location *where, const void *pointer)
{
    if (!pointer)
        return mez_ok();
    return mez_error_missing(where, "mez_free", "context");
}

MEZ_TRACE_COLD mez_error free_and_report(
    const mez_location *where, mez_context *context, void *pointer)
{
    const mez_trace_live live = mez_trace_free_begin(pointer);
    const mez_error error = context
                                ? give_up(where, mez_platform_of(context)->memory, pointer, false)
                                : no_context(where, pointer);
    mez_trace_free_end(live, where, pointer, !mez_failed(error));
    return error;
}

// Written by hand: a free of NULL is not reported, and whoever is not traced does not look at that.
MEZ_TRACE_COLD mez_error free_traced(const mez_location *where, mez_context *context, void *pointer)
{
    if (!pointer)
        return mez_ok();
    MEZ_TRACE_NOTIFY(mez_free, where, free_and_report(where, context, pointer), context, pointer);
}

// The whole of a free as most are is inlined here; all else takes the long way. Whatever it calls is its last call, so that it
// need not save registers.
mez_error mez_free_at(const mez_location *where, mez_context *context, void *pointer)
{
    MEZ_PROBE(memory__free, context, pointer);
    MEZ_REFUSE_UNTRACED("mez_free", where);
    if (mez_trace_on(MEZ_TRACE_MEMORY))
        return free_traced(where, context, pointer);
    if (!context)
        return no_context(where, pointer);
    struct mez_memory *memory = mez_platform_of(context)->memory;
    if (!mez_lock_try(&memory->lock))
        return give_up(where, memory, pointer, false);
    if (!release_easily(where, memory, pointer))
        return give_up_locked(where, memory, pointer, false);
    return mez_lock_open(&memory->lock) ? wake_and_return(&memory->lock) : mez_ok();
}

MEZ_TRACE_BODY mez_error close_shared(
    const mez_location *where, mez_context *context, void *pointer)
{
    return give_up(where, mez_platform_of(context)->memory, pointer, true);
}

MEZ_TRACED_CALL(mez_ipc_close, close_shared)

// As of a free, what goes wrong is probed where it does.
mez_error mez_ipc_close_at(const mez_location *where, mez_context *context, void *pointer)
{
    if (!pointer)
        return mez_ok();
    MEZ_REQUIRE(context, where);
    MEZ_TRACE_LONG(close_shared, where, context, pointer);
}

// --- Frees that wait for queues

void mez_timeline_add(mez_platform *platform, mez_timeline *timeline)
{
    struct mez_memory *memory = platform->memory;
    mez_lock_take(&memory->lock);
    timeline->awaited = timeline->awaited_deferred =
        0; // nothing freed before it existed is used by it
    timeline->dozes = false;
    mez_linked_push(&memory->timelines, timeline, among);
    mez_lock_release(&memory->lock);
}

void mez_timeline_wake(mez_platform *platform, mez_timeline *timeline)
{
    struct mez_memory *memory = platform->memory;
    mez_lock_take(&memory->lock);
    if (timeline->dozes) {
        timeline->dozes = false;
        timeline->awaited = timeline->awaited_deferred = 0; // as of one that is new
        mez_linked_remove(timeline, among);
        mez_linked_push(&memory->timelines, timeline, among);
    }
    mez_lock_release(&memory->lock);
}

// The queues that had nothing to do since the last call need not be looked at by each free. The caller holds the lock.
static void let_idle_doze(struct mez_memory *memory)
{
    memory->looked_at = atomic_load_explicit(&memory->free_count, memory_order_relaxed);
    if (memory->draining)
        return;
    for (mez_timeline *timeline = memory->timelines, *next; timeline; timeline = next) {
        next = timeline->among.next;
        const uint64_t submitted = mez_timeline_submitted(timeline);
        const bool idle = submitted == timeline->seen && timeline->doze && timeline->doze(timeline);
        timeline->seen = submitted;
        if (!idle)
            continue;
        timeline->dozes = true;
        mez_linked_remove(timeline, among);
        mez_linked_push(&memory->dozing, timeline, among);
    }
}

void mez_timeline_remove(mez_platform *platform, mez_timeline *timeline)
{
    struct mez_memory *memory = platform->memory;
    mez_lock_take(&memory->lock);
    mez_linked_remove(timeline, among);
    timeline->dozes = false;
    mez_lock_release(&memory->lock);
    mez_memory_sweep(platform);
}

bool mez_timeline_reached(mez_timeline *timeline, uint64_t task)
{
    return mez_timeline_completed(timeline) >= task || timeline->look(timeline) >= task;
}

static void await_what_runs_now(struct mez_memory *memory)
{
    for (mez_timeline *timeline = memory->timelines; timeline; timeline = timeline->among.next) {
        timeline->awaited_deferred =
            mez_timeline_defers(timeline) ? mez_timeline_deferred(timeline) : 0;
        timeline->awaited = mez_timeline_submitted(timeline);
    }
}

static bool has_ended(mez_timeline *timeline)
{
    if (timeline->awaited_deferred > 0) {
        if (mez_timeline_passed(timeline) < timeline->awaited_deferred)
            return false;
        timeline->awaited_deferred = 0;
        timeline->awaited = mez_timeline_submitted(timeline);
    }
    return mez_timeline_reached(timeline, timeline->awaited);
}

static bool waiting_is_over(struct mez_memory *memory)
{
    for (mez_timeline *timeline = memory->timelines; timeline; timeline = timeline->among.next)
        if (!has_ended(timeline))
            return false;
    return true;
}

void mez_memory_defer(struct mez_memory *memory, mez_slot *slot)
{
    mez_slot **list = memory->waiting ? &memory->arriving : &memory->waiting;
    if (!memory->waiting)
        await_what_runs_now(memory);
    slot->state = MEZ_SLOT_DEFERRED;
    mez_list_push(list, slot, next);
    mez_memory_usage *usage = slot->span->usage;
    usage->deferred++;
    usage->deferred_bytes += slot->size;
    atomic_fetch_add_explicit(&memory->platform->deferred_frees, 1, memory_order_relaxed);
}

static void release_waiting(struct mez_memory *memory, mez_span **unused)
{
    mez_slot *slot;
    while (mez_list_pop(&memory->waiting, slot, next)) {
        mez_memory_usage *usage = slot->span->usage;
        usage->deferred--;
        usage->deferred_bytes -= slot->size;
        atomic_fetch_sub_explicit(&memory->platform->deferred_frees, 1, memory_order_relaxed);
        mez_memory_release(memory, slot, unused);
    }
}

void mez_memory_collect(struct mez_memory *memory, mez_span **unused)
{
    while (memory->waiting && waiting_is_over(memory)) {
        release_waiting(memory, unused);
        memory->waiting = memory->arriving;
        memory->arriving = NULL;
        if (memory->waiting)
            await_what_runs_now(memory);
    }
}

void mez_memory_sweep_now(mez_platform *platform)
{
    struct mez_memory *memory = platform->memory;
    mez_span *unused = NULL;
    mez_lock_take(&memory->lock);
    mez_memory_collect(memory, &unused);
    mez_lock_release(&memory->lock);
    mez_spans_destroy(platform, unused);
}

// The next queue of the user's behind this one, NULL: the first. Those that doze have nothing to wait for. The library's own are skipped
// while the lock is held, as other threads make and destroy them; no thread does so with the user's while their context is destroyed.
static mez_timeline *next_to_drain(struct mez_memory *memory, mez_timeline *after)
{
    mez_lock_take(&memory->lock);
    mez_timeline *timeline = after ? after->among.next : memory->timelines;
    while (timeline && !timeline->drain)
        timeline = timeline->among.next;
    mez_lock_release(&memory->lock);
    return timeline;
}

void mez_memory_drain(mez_platform *platform, const mez_location *where)
{
    mez_timeline *timeline = NULL;
    mez_lock_take(&platform->memory->lock);
    platform->memory->draining = true;
    mez_lock_release(&platform->memory->lock);
    while ((timeline = next_to_drain(platform->memory, timeline)))
        timeline->drain(timeline, where);
    mez_memory_sweep(platform);
}
