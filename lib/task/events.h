// SPDX-License-Identifier: MIT
//
// The events that tasks in flight signal or wait for, referenced until the task has ended. Those that are signalled are linked
// with each other, one a task; those that are waited for, of which a task may have many and which may be waited for by many,
// stand in a ring that grows. Both are in order of the tasks.

#ifndef MEZ_TASK_EVENTS_H
#define MEZ_TASK_EVENTS_H

#include "event/event.h"

typedef struct mez_kept_event {
    uint64_t task;
    mez_event *event; // NULL: let go already
} mez_kept_event;

typedef struct mez_kept {
    bool any;             // there is something to let go, here or of a replay
    mez_event *signalled; // their own `task` tells by which
    mez_event **end;      // of that list

    mez_kept_event *ring; // waited for
    uint32_t capacity;    // a power of two
    uint32_t first;
    uint32_t count;
} mez_kept;

void mez_kept_init(mez_kept *kept);

// Of those that are waited for; the oldest has index 0.
static inline mez_kept_event *mez_kept_at(const mez_kept *kept, uint32_t index)
{
    return &kept->ring[(kept->first + index) & (kept->capacity - 1)];
}

static inline bool mez_kept_has_room(const mez_kept *kept, uint32_t more)
{
    return kept->count + more <= kept->capacity;
}

// Makes room for `more` events to wait for, so that keeping them can't fail once the driver has taken the task.
mez_error mez_kept_reserve(mez_kept *kept, uint32_t more);

// Takes a reference of its own.
void mez_kept_add_waited(mez_kept *kept, uint64_t task, mez_event *event);

// Takes over a reference. The event's task is set.
static inline void mez_kept_add_signalled(mez_kept *kept, mez_event *event)
{
    event->next = NULL;
    *kept->end = event;
    kept->end = &event->next;
    kept->any = true;
}

// Lets go of the events of all tasks up to `task`; those they signal are complete with `outcome`.
void mez_kept_complete(mez_kept *kept, uint64_t task, mez_error outcome);

// The same for the tasks from `first` to `last`, while older ones stay.
void mez_kept_lose(mez_kept *kept, uint64_t first, uint64_t last, mez_error outcome);

void mez_kept_finish(mez_kept *kept);

#endif
