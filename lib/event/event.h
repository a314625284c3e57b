// SPDX-License-Identifier: MIT
//
// Events: a Level Zero event lent from a slab, and the task whose end it signals; or one that the application lends us.

#ifndef MEZ_EVENT_EVENT_H
#define MEZ_EVENT_EVENT_H

#include <mezzanine/event.h>

#include "base/ref.h"
#include "base/text.h"
#include "device/platform.h"
#include "ze/wait.h"

// How an event reaches the queue that its task was submitted to, which this folder does not know. `owner` is that queue; for an
// event of the application's, the platform.
typedef struct mez_event_source {
    // Hands the task to the device if it still waits in an open batch. Need not be called for events with `handed_over`.
    mez_error (*flush)(void *owner, uint64_t task);
    // Waits for the task where the event can't be waited for.
    mez_error (*wait)(void *owner, uint64_t task, mez_deadline deadline);
    // Called by a waiter once the event has happened: whatever else belongs to the task's end, such as a failed assert.
    mez_error (*finished)(void *owner, uint64_t task, mez_deadline deadline);
    // The program gets this failed assert now, so nobody else need report it. Not for borrowed events, which know of none.
    void (*reported)(void *owner, mez_error failure);
    const mez_wait_guard *guard; // of everybody who waits for the event; `owner` is given to it
    // Waits until the task is deferred no more. NULL: its tasks never are. Errors: as mez_completion_wait.
    mez_error (*released)(void *owner, const mez_event *event, mez_deadline deadline);
    // A wait for several events has seen none of them happen for platform->stall_after, and this one's task is deferred. NULL: it never is.
    void (*stalled)(void *owner);
    // The program destroys its reference. NULL: that changes nothing for others.
    void (*abandoned)(void *owner, struct mez_event *event, const mez_location *where);
    // Says which event it is: "task 3 (copy, submitted at FILE:LINE) of queue "q"". The task may have ended. NULL: nothing is known.
    void (*describe)(void *owner, const struct mez_event *event, mez_text *text);
    bool by_program;                          // the program signals it: no task stands behind it
    void (*ref)(void *owner, unsigned count); // NULL where no cache is filled for it
    void (*unref)(void *owner);
} mez_event_source;

// For events behind which no task of ours stands: `flush`, and `wait` and `finished`.
mez_error mez_event_nothing_to_flush(void *owner, uint64_t task);
mez_error mez_event_nothing_left(void *owner, uint64_t task, mez_deadline deadline);

// What sort an event is, in bits; each sort comes from pools of its own.
enum {
    MEZ_EVENT_TIMED = 1 << 0, // the driver notes times in it: looking at it is slow
    // Counter-based: for what has them in its mez_caps, and in-order lists only. It is never reset, and the driver takes it for
    // happened until the task that signals it has been appended: nobody may ask the driver, or let it wait, before that.
    MEZ_EVENT_COUNTED = 1 << 1,
    MEZ_EVENT_DEVICE = 1 << 2, // for other tasks: the host does not see it happen
    MEZ_EVENT_SORTS = 1 << 3   // combinations
};

struct mez_event {
    // The user's, the task's until it is complete, and one for each task that waits for it. None: nobody has the event.
    mez_ref ref;
    mez_platform *platform;
    struct mez_event_cache *cache; // that lends it and takes it back; NULL: none
    ze_event_handle_t ze;
    unsigned sort; // bits of above; none for a borrowed one
    bool borrowed; // `ze` is the application's and not of a slab
    // Its queue collects no batches: once a task has the event, and is not deferred, the device has the task.
    bool handed_over;

    // NULL until a task has taken the event; of events between the library's own tasks, always. Written when the owner is known.
    _Atomic(const mez_event_source *) source;
    void *owner;                 // referenced by the event
    const mez_device *device;    // of its queue
    uint64_t task;               // number in its queue
    mez_error outcome;           // of the task, valid when complete; its story is retained
    atomic_bool complete;        // the queue has seen the task's end, and nothing is left to report
    atomic_bool deferred;        // the task waits in the library: the driver does not know it yet
    bool of_host;                // the task is none of the driver's, which never signals the event
    struct mez_trace_node *node; // the task's, where it is traced; referenced; NULL: it is not

    // In the list of free events; of a lent one in its queue's list of tasks in flight.
    mez_event *next;
};

// An event that has not happened (but see MEZ_EVENT_COUNTED), with one reference. Errors: MEZ_ERRC_OUT_OF_HOST_MEMORY and what the
// driver says.
mez_error mez_event_create(mez_platform *platform, unsigned sort, mez_event **event);

// The same for an event of the application's, which it signals, resets and destroys. Such an event is never complete: only the
// driver is asked. Error: MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_event_borrow(mez_platform *platform, ze_event_handle_t ze, mez_event **event);

// Says whose the event is, which was just created: it takes over a reference of the owner. The device is that of a queue, or NULL.
void mez_event_set_source(
    mez_event *event, const mez_event_source *source, void *owner, const mez_device *device);

// Has the queue seen the end of its task? Then `outcome` is valid.
static inline bool mez_event_is_complete(const mez_event *event)
{
    return atomic_load_explicit(&event->complete, memory_order_acquire);
}

static inline bool mez_event_is_deferred(const mez_event *event)
{
    return atomic_load_explicit(&event->deferred, memory_order_acquire);
}

static inline void mez_event_set_deferred(mez_event *event, bool deferred)
{
    atomic_store_explicit(&event->deferred, deferred, memory_order_release);
}

// As mez_event_wait, where no caller could receive a failure: it stays with the queue as well.
mez_error mez_event_wait_quietly(mez_event *event, mez_deadline deadline);

// The program gets this failure, which a wait for the event had: its queue need not report it as well. Returns it.
__attribute__((cold)) mez_error mez_event_report(mez_event *event, mez_error failure);

// Does a task signal it, and not the program?
static inline bool mez_event_is_of_task(const mez_event *event)
{
    return !event->source || !event->source->by_program;
}

// Adds to an error that it came about because an event, which is complete, has this outcome: mostly that of its task.
mez_error mez_event_add_cause(mez_error error, const mez_event *event);

// The task is over with this outcome, and there is nothing left to report.
void mez_event_complete(mez_event *event, mez_error outcome);

static inline void mez_event_ref(mez_event *event)
{
    mez_ref_get(&event->ref);
}

// Gives back or frees an event that nobody has any more.
void mez_event_let_go(mez_event *event);

// NULL is accepted.
static inline void mez_event_unref(mez_event *event)
{
    if (event && mez_ref_put(&event->ref))
        mez_event_let_go(event);
}

// How many events of the context are lent to somebody.
uint32_t mez_events_alive(mez_platform *platform);

// Warns of events that are alive, with their number and where the first of them come from, when the call at `where` destroys the
// context. Others may give back events meanwhile: callbacks and host tasks outlive a context.
void mez_events_report(mez_platform *platform, const char *context_name, const mez_location *where);

#endif
