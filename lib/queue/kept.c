// SPDX-License-Identifier: MIT

#include "queue/kept.h"

#include "base/alloc.h"

#define FIRST_CAPACITY 64

static mez_error grow(mez_kept *kept, uint32_t needed)
{
    uint32_t capacity = kept->capacity ? kept->capacity : FIRST_CAPACITY;
    while (capacity < needed)
        capacity *= 2;
    mez_kept_event *ring = mez_alloc_array(capacity, sizeof *ring);
    if (!ring)
        return mez_error_no_memory("the events of tasks");
    for (uint32_t i = 0; i < kept->count; i++)
        ring[i] = *mez_kept_at(kept, i);
    mez_free_memory(kept->ring);
    kept->ring = ring;
    kept->capacity = capacity;
    kept->first = 0;
    return mez_ok();
}

mez_error mez_kept_reserve(mez_kept *kept, uint32_t more)
{
    const uint32_t needed = kept->count + more;
    return needed <= kept->capacity ? mez_ok() : grow(kept, needed);
}

void mez_kept_add(mez_kept *kept, uint64_t task, mez_event *event, bool signalled)
{
    mez_event_ref(event);
    *mez_kept_at(kept, kept->count++) =
        (mez_kept_event){.task = task, .event = event, .signalled = signalled};
}

static void let_go(mez_kept_event *entry, mez_error outcome)
{
    mez_event *event = entry->event;
    entry->event = NULL;
    if (!event)
        return;
    if (entry->signalled)
        mez_event_complete(event, outcome);
    mez_event_unref(event);
}

void mez_kept_complete(mez_kept *kept, uint64_t task, mez_error outcome)
{
    while (kept->count > 0 && mez_kept_at(kept, 0)->task <= task) {
        let_go(mez_kept_at(kept, 0), outcome);
        kept->first++;
        kept->count--;
    }
}

void mez_kept_lose(mez_kept *kept, uint64_t first, uint64_t last, mez_error outcome)
{
    for (uint32_t i = 0; i < kept->count; i++) {
        mez_kept_event *entry = mez_kept_at(kept, i);
        if (first <= entry->task && entry->task <= last)
            let_go(entry, outcome);
    }
}

void mez_kept_finish(mez_kept *kept)
{
    mez_free_memory(kept->ring);
    *kept = (mez_kept){0};
}
