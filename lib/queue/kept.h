// SPDX-License-Identifier: MIT
//
// The events that tasks in flight signal or wait for, referenced until the task has ended: in order of the tasks, in a ring
// that grows.

#ifndef MEZ_QUEUE_KEPT_H
#define MEZ_QUEUE_KEPT_H

#include "event/event.h"

typedef struct mez_kept_event {
    uint64_t task;
    mez_event *event; // NULL: let go already
    bool signalled;   // by the task; else waited for
} mez_kept_event;

typedef struct mez_kept {
    mez_kept_event *ring;
    uint32_t capacity; // a power of two
    uint32_t first;
    uint32_t count;
} mez_kept;

static inline bool mez_kept_has_room(const mez_kept *kept, uint32_t more)
{
    return kept->count + more <= kept->capacity;
}

// Makes room for `more` events, so that keeping them can't fail once the driver has taken the task.
mez_error mez_kept_reserve(mez_kept *kept, uint32_t more);

// Takes a reference of its own.
void mez_kept_add(mez_kept *kept, uint64_t task, mez_event *event, bool signalled);

// Lets go of the events of all tasks up to `task`; those they signal are complete with `outcome`.
void mez_kept_complete(mez_kept *kept, uint64_t task, mez_error outcome);

// The same for the tasks from `first` to `last`, while older ones stay.
void mez_kept_lose(mez_kept *kept, uint64_t first, uint64_t last, mez_error outcome);

void mez_kept_finish(mez_kept *kept);

#endif
