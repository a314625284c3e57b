// SPDX-License-Identifier: MIT
//
// An event shows whether a submitted task has finished. Ask for one with mez_task_params.event; a
// task without one costs less.
//
// Thread-safety: safe; one event may be waited for from many threads.

#ifndef MEZZANINE_EVENT_H
#define MEZZANINE_EVENT_H

#include <mezzanine/base.h>
#include <mezzanine/error.h>

MEZ_BEGIN

typedef struct mez_event mez_event;
struct mez_context;

// Waits until the event's task has finished. The task is handed to the device first if it still
// waits in an open batch.
//
// MEZ_ERRC_DEVICE_LOST: the task will not finish, and nothing else in the context: see
//     mezzanine/context.h. A task that had been seen to finish before keeps its outcome.
// MEZ_ERRC_ASSERT: an assert of the task's kernel failed, or of one that shares its record: see
//     mezzanine/assert.h.
// MEZ_ERRC_EVENT: the task was not run, because one that it waits for failed.
// MEZ_ERRC_WRONG_STATE: a host function waits for a task that comes after a host task, which would
//     never end.
// MEZ_ERRC_INVALID_PARAMETER: NULL. Else an error of the task itself: what the driver says.
MEZ_API MEZ_CHECKED mez_error mez_event_wait_at(const mez_location *where, mez_event *event);

// A timeout without a limit, for whatever ends with _for.
#define MEZ_FOREVER UINT64_MAX

// The same for at most `timeout` nanoseconds (MEZ_FOREVER: no limit; 0: only look).
//
// MEZ_ERRC_TIMEOUT (without a story): not finished in time; everything goes on.
// Others: those of mez_event_wait.
MEZ_API MEZ_CHECKED mez_error mez_event_wait_for_at(
    const mez_location *where, mez_event *event, uint64_t timeout);

// Has the event's task finished? Never waits for it. As in a wait, the task is handed to the device
// first.
//
// Success: it has. MEZ_ERRC_NOT_READY (without a story): not yet. MEZ_ERRC_INVALID_PARAMETER: NULL.
// MEZ_ERRC_DEVICE_LOST, MEZ_ERRC_ASSERT, MEZ_ERRC_EVENT and what else the driver says: as a wait.
MEZ_API MEZ_CHECKED mez_error mez_event_get_status_at(const mez_location *where, mez_event *event);

// Waits until all of several events have happened. They may be of any queues, devices and contexts,
// in any order; 0 events have happened. Each task is handed to its device before the first wait, so
// that the devices work at the same time. A task that has failed is over, so the others are waited
// for all the same; then the failure that stands first in the list is returned, and
// mez_event_get_status says what became of each task.
//
// MEZ_ERRC_INVALID_PARAMETER: `events` is NULL and `count` is not 0, or an event in the list is
//     NULL. Nothing was waited for.
// MEZ_ERRC_DEVICE_LOST, MEZ_ERRC_ASSERT, MEZ_ERRC_EVENT, MEZ_ERRC_WRONG_STATE: as mez_event_wait.
//     What else the driver says.
MEZ_API MEZ_CHECKED mez_error mez_events_wait_all_at(
    const mez_location *where, mez_event *const *events, size_t count);

// The same for at most `timeout` nanoseconds (MEZ_FOREVER: no limit; 0: only look).
//
// MEZ_ERRC_TIMEOUT (without a story): some have not happened in time; everything goes on.
// Others: those of mez_events_wait_all.
MEZ_API MEZ_CHECKED mez_error mez_events_wait_all_for_at(
    const mez_location *where, mez_event *const *events, size_t count, uint64_t timeout);

// Waits until one of several events has happened, and returns the outcome of its task. *index
// (NULL: not wanted) is its number in the list: the first of those that have happened. Where the
// wait fails before any has happened, *index is `count`, or the number of the event whose wait it
// was. The events may be of any queues, devices and contexts. Between two looks at all of them the
// thread sleeps: at most a millisecond, or eight times as long as a look takes where they are
// hundreds.
//
// MEZ_ERRC_INVALID_PARAMETER: `count` is 0, `events` is NULL, or an event in the list is.
// MEZ_ERRC_DEVICE_LOST, MEZ_ERRC_ASSERT, MEZ_ERRC_EVENT: as mez_event_wait.
// MEZ_ERRC_WRONG_STATE: a host function waits, and all the tasks come after host tasks, so that the
//     wait would never end.
// What else the driver says.
MEZ_API MEZ_CHECKED mez_error mez_events_wait_any_at(
    const mez_location *where, mez_event *const *events, size_t count, size_t *index);

// The same for at most `timeout` nanoseconds (MEZ_FOREVER: no limit; 0: only look).
//
// MEZ_ERRC_TIMEOUT (without a story): none has happened in time; everything goes on, and *index is
//     `count`.
// Others: those of mez_events_wait_any.
MEZ_API MEZ_CHECKED mez_error mez_events_wait_any_for_at(const mez_location *where,
    mez_event *const *events, size_t count, uint64_t timeout, size_t *index);

#ifndef __cplusplus
#define mez_events_wait_all(...) mez_events_wait_all_at(MEZ_HERE, __VA_ARGS__)
#define mez_events_wait_all_for(...) mez_events_wait_all_for_at(MEZ_HERE, __VA_ARGS__)
#define mez_events_wait_any(...) mez_events_wait_any_at(MEZ_HERE, __VA_ARGS__)
#define mez_events_wait_any_for(...) mez_events_wait_any_for_at(MEZ_HERE, __VA_ARGS__)
#endif

// Called at the end of a task with success, or with what mez_event_wait would return.
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
MEZ_API MEZ_CHECKED mez_error mez_event_set_callback_at(
    const mez_location *where, mez_event *event, mez_event_function function, void *user);

// When the task ran, in nanoseconds of its device's clock. That clock starts again at zero when it
// is full, on some devices after a few minutes; `end` is never before `start` nevertheless.
typedef struct mez_event_profile {
    uint64_t start;
    uint64_t end;
    uint64_t reserved[6]; // zero: mezzanine/base.h
} mez_event_profile;

// MEZ_ERRC_PROFILING: the event's queue was created without mez_queue_params.profiling, or its
//     device does not say how fast its clock runs.
// MEZ_ERRC_NOT_READY: the task has not finished. MEZ_ERRC_INVALID_PARAMETER: NULL.
// MEZ_ERRC_DEVICE_LOST, MEZ_ERRC_EVENT, MEZ_ERRC_ASSERT: as a wait. What the driver says.
MEZ_API MEZ_CHECKED mez_error mez_event_get_profile_at(
    const mez_location *where, mez_event *event, mez_event_profile *profile);

// --- Events that the program signals

// Zero is the default of each member.
typedef struct mez_user_event_params {
    const char *debug_name; // shown in messages; copied, at most 63 bytes
    uint64_t reserved[4];   // must be zero: mezzanine/base.h
} mez_user_event_params;

// Makes an event of no task, which happens when mez_user_event_signal is called. Tasks of any queue
// of the context may wait for it, in mez_task_params.wait_for; so may threads. The library keeps
// such tasks until then, as those behind a host task, and so it does with what an in-order queue is
// given behind them. Recorded operations wait for no events, replays do. `params` NULL: the
// defaults.
//
// Somebody has to signal it: waits for the tasks, and mez_queue_destroy, last until then. A wait
// that lasts longer than MEZ_STALL warns, and names the events that have not been signalled.
// mez_event_destroy of an event that has not been signalled fails it: tasks and threads that wait
// for it fail as if it were the event of a task that has failed, and the story says where.
//
// A host function can't wait for such an event before it is signalled, nor for a task behind it:
// who signals it may come behind that function (mez_event_wait).
//
// MEZ_ERRC_INVALID_PARAMETER: `context` or `event` is NULL, or `reserved` is not zero.
// MEZ_ERRC_OUT_OF_HOST_MEMORY. What the driver says. On failure *event is NULL.
MEZ_API MEZ_CHECKED mez_error mez_user_event_create_at(const mez_location *where,
    struct mez_context *context, const mez_user_event_params *params, mez_event **event);

// Signals such an event, once: it has happened with this outcome, which is success or the error
// that waits for it return. Tasks that wait for it start where it is success, and fail with
// MEZ_ERRC_EVENT otherwise. The first call counts, from whatever thread; another one may destroy
// the event as soon as a wait for it is over. A time limit, "not ready" or a failed assert would
// say something else to those who wait: of these the outcome is MEZ_ERRC_EVENT, with the error that
// was given in its story.
//
// MEZ_ERRC_EVENT: the event is none of mez_user_event_create.
// MEZ_ERRC_WRONG_STATE: it has been signalled already; its outcome stays.
// MEZ_ERRC_INVALID_PARAMETER: NULL.
MEZ_API MEZ_CHECKED mez_error mez_user_event_signal_at(
    const mez_location *where, mez_event *event, mez_error outcome);

#ifndef __cplusplus
#define mez_user_event_create(...) mez_user_event_create_at(MEZ_HERE, __VA_ARGS__)
#define mez_user_event_signal(...) mez_user_event_signal_at(MEZ_HERE, __VA_ARGS__)
#endif

// Gives up your reference and sets *event to NULL. The task goes on.
MEZ_API void mez_event_destroy_at(const mez_location *where, mez_event **event);

#ifndef __cplusplus
#define mez_event_destroy(event) mez_event_destroy_at(MEZ_HERE, event)
#define mez_event_wait(event) mez_event_wait_at(MEZ_HERE, event)
#define mez_event_wait_for(event, timeout) mez_event_wait_for_at(MEZ_HERE, event, timeout)
#define mez_event_get_status(event) mez_event_get_status_at(MEZ_HERE, event)
#define mez_event_set_callback(event, function, user) \
    mez_event_set_callback_at(MEZ_HERE, event, function, user)
#define mez_event_get_profile(event, profile) mez_event_get_profile_at(MEZ_HERE, event, profile)
#endif

MEZ_END

#endif
