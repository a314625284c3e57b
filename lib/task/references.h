// SPDX-License-Identifier: MIT
//
// What tasks in flight refer to, until they have ended: events that they signal or wait for, and recorded lists that they execute.
// Events that are signalled are linked with each other, one a task, and so are the lists; events that are waited for, of which a
// task may have many and which may be waited for by many, stand in a ring that grows. All are in order of the tasks.

#ifndef MEZ_TASK_REFERENCES_H
#define MEZ_TASK_REFERENCES_H

#include "base/list.h"
#include "event/event.h"
#include "task/readback.h"

typedef struct mez_awaited_event {
    uint64_t task;
    mez_event *event; // NULL: let go already
} mez_awaited_event;

typedef struct mez_task_references {
    bool any;             // there is something to let go
    mez_event *signalled; // their own `task` says by which
    mez_event **end;      // of that list

    mez_awaited_event *ring; // waited for
    uint32_t capacity;       // a power of two
    uint32_t first;
    uint32_t count;

    mez_encoding *oldest_list; // their own `task` says by which
    mez_encoding *newest_list;
} mez_task_references;

void mez_task_references_init(mez_task_references *references);

// Of those that are waited for; the oldest has index 0.
static inline mez_awaited_event *mez_task_references_at(
    const mez_task_references *references, uint32_t index)
{
    return &references->ring[(references->first + index) & (references->capacity - 1)];
}

static inline bool mez_task_references_has_room(
    const mez_task_references *references, uint32_t more)
{
    return references->count + more <= references->capacity;
}

// Makes room for `more` events to wait for, so that keeping them can't fail once the driver has taken the task.
mez_error mez_task_references_reserve(mez_task_references *references, uint32_t more);

// Takes references of its own. There is room.
static inline void mez_task_references_add_waited(
    mez_task_references *references, uint64_t task, mez_event *const *events, uint32_t count)
{
    if (count == 0)
        return;
    const uint32_t mask = references->capacity - 1;
    const uint32_t end = references->first + references->count;
    references->any = true;
    references->count += count;
    for (uint32_t i = 0; i < count; i++) {
        mez_event_ref(events[i]);
        references->ring[(end + i) & mask] = (mez_awaited_event){.task = task, .event = events[i]};
    }
}

// Takes over a reference. The event's task is set.
static inline void mez_task_references_add_signalled(
    mez_task_references *references, mez_event *event)
{
    event->next = NULL;
    *references->end = event;
    references->end = &event->next;
    references->any = true;
}

// Takes over a reference to a list that the task executes.
static inline void mez_task_references_add_list(
    mez_task_references *references, mez_encoding *list, uint64_t task)
{
    list->task = task;
    mez_fifo_append(&references->oldest_list, &references->newest_list, list, next);
    references->any = true;
}

// Lets go of all that tasks up to `task` refer to; the events that they signal are complete with `outcome`.
void mez_task_references_complete(
    mez_task_references *references, uint64_t task, mez_error outcome);

// The same for the events of the tasks from `first` to `last`, while older ones stay.
void mez_task_references_lose(
    mez_task_references *references, uint64_t first, uint64_t last, mez_error outcome);

// Lets go of lists whose tasks were lost behind others, and frees the ring. All events have been let go.
void mez_task_references_finish(mez_task_references *references);

#endif
