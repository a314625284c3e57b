// SPDX-License-Identifier: MIT
//
// Events: a Level Zero event lent from a slab, and the task whose end it tells; or one that the application lends us.

#ifndef MEZ_EVENT_EVENT_H
#define MEZ_EVENT_EVENT_H

#include <mezzanine/event.h>

#include "base/ref.h"
#include "device/platform.h"
#include "ze/wait.h"

// How an event reaches the queue that its task was submitted to, which this folder does not know. `owner` is that queue; for an
// event of the application's, the platform.
typedef struct mez_event_source {
    // Hands the task to the device if it still waits in an open batch.
    mez_error (*flush)(void *owner, uint64_t task);
    // Waits for the task where the event can't be waited for.
    mez_error (*wait)(void *owner, uint64_t task, mez_deadline deadline);
    // Called by a waiter once the event has happened: whatever else belongs to the task's end, such as a failed assert.
    mez_error (*finished)(void *owner, uint64_t task, mez_deadline deadline);
    void (*unref)(void *owner);
} mez_event_source;

// What an event can do; sorts do not mix in one slab.
enum {
    MEZ_EVENT_TIMED = 1 << 0,  // the driver notes times in it
    MEZ_EVENT_DEVICE = 1 << 1, // for other tasks: the host does not see it happen
    MEZ_EVENT_SORTS = 1 << 2,
};

struct mez_event {
    // The user's, the task's until it is complete, and one for each task that waits for it.
    mez_ref ref;
    mez_platform *platform;
    ze_event_handle_t ze;
    uint8_t sort;  // flags
    bool borrowed; // `ze` is the application's and not of a slab

    const mez_event_source *source; // NULL until a task has taken the event
    void *owner;                    // referenced by the event
    const mez_device *device;       // of its queue
    uint64_t task;                  // number in its queue
    mez_error outcome;              // of the task, valid when complete; its story is retained
    atomic_bool complete; // the queue has seen the task's end, and nothing is left to report

    mez_event *next; // in the list of free events
};

// An event of a sort (flags) that has not happened, with one reference. Errors: MEZ_ERRC_OUT_OF_HOST_MEMORY and what the driver
// says.
mez_error mez_event_create(mez_platform *platform, unsigned sort, mez_event **event);

// The same for an event of the application's, which it signals, resets and destroys. Such an event is never complete: only the
// driver is asked. Error: MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_event_borrow(mez_platform *platform, ze_event_handle_t ze, mez_event **event);

// Has the queue seen the end of its task? Then `outcome` is valid.
bool mez_event_is_complete(const mez_event *event);

void mez_event_ref(mez_event *event);
void mez_event_unref(mez_event *event); // NULL is accepted

#endif
