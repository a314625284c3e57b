// SPDX-License-Identifier: MIT
//
// An event tells when a submitted task has finished. Ask for one with mez_task_params.event; nobody
// pays for an event that nobody asked for.
//
// Thread-safety: safe; one event may be waited for from many threads.

#ifndef MEZZANINE_EVENT_H
#define MEZZANINE_EVENT_H

#include <mezzanine/base.h>
#include <mezzanine/error.h>

MEZ_BEGIN

typedef struct mez_event mez_event;

#define MEZ_FOREVER UINT64_MAX

// Waits until the event's task has finished, at most `timeout` nanoseconds (MEZ_FOREVER: no limit;
// 0: only look). The task is handed to the device first if it still waits in an open batch.
//
// MEZ_ERRC_TIMEOUT (without a story): not finished in time; everything goes on.
// MEZ_ERRC_DEVICE_LOST: the task will not finish, and nothing else in the context: see
//     mezzanine/context.h. A task that had been seen to finish before keeps its outcome.
// MEZ_ERRC_ASSERT: an assert of the task's kernel failed, or of one that shares its record: see
//     mezzanine/assert.h.
// MEZ_ERRC_EVENT: the task was not run, because one that it waits for failed.
// MEZ_ERRC_WRONG_STATE: a host function waits for a task that comes after a host task, which would
//     never end.
// MEZ_ERRC_INVALID_PARAMETER: NULL. Else an error of the task itself: what the driver says.
MEZ_API MEZ_CHECKED mez_error mez_event_wait(mez_event *event, uint64_t timeout);

// Has the event's task finished? Never waits for it. As in a wait, the task is handed to the device
// first.
//
// Success: it has. MEZ_ERRC_NOT_READY (without a story): not yet. MEZ_ERRC_INVALID_PARAMETER: NULL.
// MEZ_ERRC_DEVICE_LOST, MEZ_ERRC_ASSERT, MEZ_ERRC_EVENT and what else the driver says: as a wait.
MEZ_API MEZ_CHECKED mez_error mez_event_status(mez_event *event);

// Told of the end of a task: success, or what mez_event_wait would return.
typedef void (*mez_event_function)(void *user, mez_error outcome);

// Has a function called when the event's task has finished; at once where it has already. Each call
// of mez_event_set_callback leads to exactly one call of the function, also after the event was
// destroyed. It is called by a thread of the context, one function after the other, with no lock
// held: it may call anything, and submit to any queue. While it waits the others wait, too.
// mez_queue_destroy returns when the functions of the queue's events have returned, unless one of
// them calls it.
//
// MEZ_ERRC_INVALID_PARAMETER: NULL. MEZ_ERRC_OUT_OF_HOST_MEMORY: no memory, or no thread; the
//     function is not called.
MEZ_API MEZ_CHECKED mez_error mez_event_set_callback(
    mez_event *event, mez_event_function function, void *user);

// When the task ran, in nanoseconds of its device's clock. That clock starts again at zero when it
// is full, on some devices after a few minutes; `end` is never before `start` nevertheless.
typedef struct mez_event_profile {
    uint64_t start;
    uint64_t end;
} mez_event_profile;

// MEZ_ERRC_PROFILING: the event's queue was created without mez_queue_params.profiling, or its
//     device does not say how fast its clock runs.
// MEZ_ERRC_NOT_READY: the task has not finished. MEZ_ERRC_INVALID_PARAMETER: NULL.
// MEZ_ERRC_DEVICE_LOST, MEZ_ERRC_EVENT, MEZ_ERRC_ASSERT: as a wait. What the driver says.
MEZ_API MEZ_CHECKED mez_error mez_event_get_profile(mez_event *event, mez_event_profile *profile);

// Gives up your reference and sets *event to NULL. The task goes on.
MEZ_API void mez_event_destroy(mez_event **event);

MEZ_END

#endif
