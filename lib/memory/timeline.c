// SPDX-License-Identifier: MIT
//
// Frees that wait for queues.

#include "memory/memory.h"

void mez_timeline_add(mez_platform *platform, mez_timeline *timeline)
{
    struct mez_memory *memory = platform->memory;
    mez_lock_take(&memory->lock);
    timeline->awaited = timeline->awaited_deferred =
        0; // nothing freed before it existed is used by it
    mez_list_push(&memory->timelines, timeline, next);
    mez_lock_release(&memory->lock);
}

void mez_timeline_remove(mez_platform *platform, mez_timeline *timeline)
{
    struct mez_memory *memory = platform->memory;
    mez_lock_take(&memory->lock);
    mez_list_remove(&memory->timelines, timeline, next);
    mez_lock_release(&memory->lock);
    mez_memory_sweep(platform);
}

bool mez_timeline_reached(mez_timeline *timeline, uint64_t task)
{
    return mez_timeline_completed(timeline) >= task || timeline->look(timeline) >= task;
}

static void await_what_runs_now(struct mez_memory *memory)
{
    for (mez_timeline *timeline = memory->timelines; timeline; timeline = timeline->next) {
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
    for (mez_timeline *timeline = memory->timelines; timeline; timeline = timeline->next)
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

// The next queue of the user's behind this one, NULL: the first. The library's own are skipped while the lock is held, as other
// threads make and destroy them; no thread does so with the user's while their context is destroyed.
static mez_timeline *next_to_drain(struct mez_memory *memory, mez_timeline *after)
{
    mez_lock_take(&memory->lock);
    mez_timeline *timeline = after ? after->next : memory->timelines;
    while (timeline && !timeline->drain)
        timeline = timeline->next;
    mez_lock_release(&memory->lock);
    return timeline;
}

void mez_memory_drain(mez_platform *platform, const mez_location *where)
{
    mez_timeline *timeline = NULL;
    while ((timeline = next_to_drain(platform->memory, timeline)))
        timeline->drain(timeline, where);
    mez_memory_sweep(platform);
}
