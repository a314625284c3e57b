// SPDX-License-Identifier: MIT

#include "task/events.h"

#include "base/alloc.h"

#define FIRST_CAPACITY 64

void mez_kept_init(mez_kept *kept)
{
    *kept = (mez_kept){.end = &kept->signalled};
}

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

void mez_kept_add_waited(mez_kept *kept, uint64_t task, mez_event *event)
{
    mez_event_ref(event);
    kept->any = true;
    *mez_kept_at(kept, kept->count++) = (mez_kept_event){.task = task, .event = event};
}

static void let_go_waited(mez_kept_event *entry)
{
    mez_event_unref(entry->event);
    entry->event = NULL;
}

static void let_go_signalled(mez_event *event, mez_error outcome)
{
    mez_event_complete(event, outcome);
    mez_event_unref(event);
}

// Takes an event out of the list that *link leads on with.
static mez_event *unlink_signalled(mez_kept *kept, mez_event **link)
{
    mez_event *event = *link;
    *link = event->next;
    if (kept->end == &event->next)
        kept->end = link;
    return event;
}

void mez_kept_complete(mez_kept *kept, uint64_t task, mez_error outcome)
{
    while (kept->signalled && kept->signalled->task <= task)
        let_go_signalled(unlink_signalled(kept, &kept->signalled), outcome);
    while (kept->count > 0 && mez_kept_at(kept, 0)->task <= task) {
        let_go_waited(mez_kept_at(kept, 0));
        kept->first++;
        kept->count--;
    }
}

void mez_kept_lose(mez_kept *kept, uint64_t first, uint64_t last, mez_error outcome)
{
    mez_event **link = &kept->signalled;
    while (*link && (*link)->task < first)
        link = &(*link)->next;
    while (*link && (*link)->task <= last)
        let_go_signalled(unlink_signalled(kept, link), outcome);
    for (uint32_t i = 0; i < kept->count; i++)
        if (first <= mez_kept_at(kept, i)->task && mez_kept_at(kept, i)->task <= last)
            let_go_waited(mez_kept_at(kept, i));
}

void mez_kept_finish(mez_kept *kept)
{
    mez_free_memory(kept->ring);
    *kept = (mez_kept){0};
}
