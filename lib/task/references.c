// SPDX-License-Identifier: MIT

#include "task/references.h"

#include "base/alloc.h"

// A task that finds no room takes the long way, on which references of tasks that have ended leave.
#define FIRST_CAPACITY 256

void mez_task_references_init(mez_task_references *references)
{
    *references = (mez_task_references){.end = &references->signalled};
}

static mez_error grow(mez_task_references *references, uint32_t needed)
{
    uint32_t capacity = references->capacity ? references->capacity : FIRST_CAPACITY;
    while (capacity < needed)
        capacity *= 2;
    mez_awaited_event *ring = mez_alloc_array(capacity, sizeof *ring);
    if (!ring)
        return mez_error_no_memory("the events of tasks");
    for (uint32_t i = 0; i < references->count; i++)
        ring[i] = *mez_task_references_at(references, i);
    mez_free_memory(references->ring);
    references->ring = ring;
    references->capacity = capacity;
    references->first = 0;
    return mez_ok();
}

mez_error mez_task_references_reserve(mez_task_references *references, uint32_t more)
{
    const uint32_t needed = references->count + more;
    return needed <= references->capacity ? mez_ok() : grow(references, needed);
}

static void let_go_waited(mez_awaited_event *entry)
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
static mez_event *unlink_signalled(mez_task_references *references, mez_event **link)
{
    mez_event *event = *link;
    *link = event->next;
    if (references->end == &event->next)
        references->end = link;
    return event;
}

// Not inlined: its frame would be paid for by recorded lists.
__attribute__((noinline)) static void complete_events(
    mez_task_references *references, uint64_t task, mez_error outcome)
{
    while (references->signalled && references->signalled->task <= task)
        let_go_signalled(unlink_signalled(references, &references->signalled), outcome);
    const uint32_t mask = references->capacity - 1;
    const mez_awaited_event *ring = references->ring; // nothing is added meanwhile
    while (references->count > 0 && ring[references->first & mask].task <= task) {
        references->count--;
        mez_event_unref(ring[references->first++ & mask].event);
    }
}

static void let_go_lists(mez_task_references *references, uint64_t task)
{
    while (references->oldest_list && references->oldest_list->task <= task) {
        mez_encoding *list;
        mez_fifo_pop(&references->oldest_list, &references->newest_list, list, next);
        mez_encoding_unref(list);
    }
}

static bool has_events(const mez_task_references *references)
{
    return references->signalled || references->count > 0;
}

void mez_task_references_complete(mez_task_references *references, uint64_t task, mez_error outcome)
{
    if (has_events(references))
        complete_events(references, task, outcome);
    let_go_lists(references, task);
    references->any = has_events(references) || references->oldest_list;
}

void mez_task_references_lose(
    mez_task_references *references, uint64_t first, uint64_t last, mez_error outcome)
{
    mez_event **link = &references->signalled;
    while (*link && (*link)->task < first)
        link = &(*link)->next;
    while (*link && (*link)->task <= last)
        let_go_signalled(unlink_signalled(references, link), outcome);
    for (uint32_t i = 0; i < references->count; i++)
        if (first <= mez_task_references_at(references, i)->task &&
            mez_task_references_at(references, i)->task <= last)
            let_go_waited(mez_task_references_at(references, i));
}

void mez_task_references_finish(mez_task_references *references)
{
    let_go_lists(references, UINT64_MAX);
    mez_free_memory(references->ring);
    *references = (mez_task_references){0};
}
