// SPDX-License-Identifier: MIT
//
// An event shows whether a submitted task has finished. mez_task_params.event asks for one; a task
// without an event costs less.
//
// Thread-safety: safe; several threads may wait for the same event.

#ifndef MEZZANINE_EVENT_H
#define MEZZANINE_EVENT_H

#include <mezzanine/base.h>
#include <mezzanine/error.h>

MEZ_BEGIN

typedef struct mez_event mez_event;
struct mez_context;

// Waits until the event's task has finished. If the task is still in an open batch, the batch is
// handed to the device first.
//
// MEZ_ERRC_DEVICE_LOST: the task will never finish, and neither will any other task of the context:
//     see mezzanine/context.h. A task that was known to have finished before keeps its outcome.
// MEZ_ERRC_ASSERT: an assert of the task's kernel failed, or of one that shares its record: see
//     mezzanine/assert.h.
// MEZ_ERRC_EVENT: the task was not run, because one that it waits for failed.
// MEZ_ERRC_WRONG_STATE: the call comes from the function of a host task or a callback, and the task
//     comes after a host task, so that the wait would never end.
// MEZ_ERRC_INVALID_PARAMETER: NULL. What the driver says of the task.
MEZ_API MEZ_CHECKED mez_error mez_event_wait_at(const mez_location *where, mez_event *event);

// The timeout that never ends, for the functions whose names end with _for.
#define MEZ_FOREVER UINT64_MAX

// The same for at most `timeout` nanoseconds (MEZ_FOREVER: no limit; 0: only look).
//
// MEZ_ERRC_TIMEOUT (without a story): not finished in time; the task goes on.
// Others: those of mez_event_wait.
MEZ_API MEZ_CHECKED mez_error mez_event_wait_for_at(
    const mez_location *where, mez_event *event, uint64_t timeout);

// Has the event's task finished? Never waits for it. As in a wait, the task is handed to the device
// first.
//
// Success: it has. MEZ_ERRC_NOT_READY (without a story): not yet. MEZ_ERRC_INVALID_PARAMETER: NULL.
// MEZ_ERRC_DEVICE_LOST, MEZ_ERRC_ASSERT, MEZ_ERRC_EVENT, and what else the driver says: as
// mez_event_wait.
MEZ_API MEZ_CHECKED mez_error mez_event_get_status_at(const mez_location *where, mez_event *event);

// Waits until all of several events have happened. They may belong to any queues, devices and
// contexts, in any order. With a `count` of 0 the call succeeds at once. All tasks are handed to
// their devices before the first wait, so that the devices work at the same time. If a task fails,
// the call still waits for the others; it then returns the failure of the first event in the list
// that has one. mez_event_get_status returns the outcome of each task.
//
// MEZ_ERRC_INVALID_PARAMETER: `events` is NULL and `count` is not 0, or an event in the list is
//     NULL. The call has not waited.
// MEZ_ERRC_DEVICE_LOST, MEZ_ERRC_ASSERT, MEZ_ERRC_EVENT, MEZ_ERRC_WRONG_STATE: as mez_event_wait.
//     What else the driver says.
MEZ_API MEZ_CHECKED mez_error mez_events_wait_all_at(
    const mez_location *where, mez_event *const *events, size_t count);

// The same for at most `timeout` nanoseconds (MEZ_FOREVER: no limit; 0: only look).
//
// MEZ_ERRC_TIMEOUT (without a story): at least one event has not happened in time; all tasks go on.
// Others: those of mez_events_wait_all.
MEZ_API MEZ_CHECKED mez_error mez_events_wait_all_for_at(
    const mez_location *where, mez_event *const *events, size_t count, uint64_t timeout);

// Waits until one of several events has happened, and returns the outcome of its task. *index
// (NULL: not wanted) is its number in the list; if several have happened, the lowest. If the wait
// fails before any event has happened, *index is the number of the event that could not be waited
// for, or `count`. The events may belong to any queues, devices and contexts. The thread looks at
// all events in turn and sleeps in between, for at most a millisecond; for hundreds of events it
// may sleep up to eight times as long as it takes to look at them.
//
// MEZ_ERRC_INVALID_PARAMETER: `count` is 0, or `events` or an event in the list is NULL.
// MEZ_ERRC_DEVICE_LOST, MEZ_ERRC_ASSERT, MEZ_ERRC_EVENT: as mez_event_wait.
// MEZ_ERRC_WRONG_STATE: the call comes from the function of a host task or a callback, and every
//     task in the list comes after a host task, so that the wait would never end.
// What else the driver says.
MEZ_API MEZ_CHECKED mez_error mez_events_wait_any_at(
    const mez_location *where, mez_event *const *events, size_t count, size_t *index);

// The same for at most `timeout` nanoseconds (MEZ_FOREVER: no limit; 0: only look).
//
// MEZ_ERRC_TIMEOUT (without a story): no event has happened in time; all tasks go on, and *index is
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

// Called when a task has ended, with what mez_event_wait would return: success or an error.
typedef void (*mez_event_function)(void *user, mez_error outcome);

// Calls a function when the event's task has finished, or soon if it already has. Each successful
// call of mez_event_set_callback leads to exactly one call of the function, also if the event is
// destroyed before. A thread of the context calls all such functions, one after the other and
// without holding a lock. So a function may call the library and submit to any queue, but while it
// waits, the other functions have to wait, too. mez_queue_destroy returns when the functions for
// all events of the queue have returned, unless one of them calls it.
//
// MEZ_ERRC_INVALID_PARAMETER: NULL. MEZ_ERRC_OUT_OF_HOST_MEMORY: there is no memory, or no thread
//     can be started; the function will not be called.
MEZ_API MEZ_CHECKED mez_error mez_event_set_callback_at(
    const mez_location *where, mez_event *event, mez_event_function function, void *user);

// When the task ran, in nanoseconds of its device's clock. The clock has a limited range and then
// starts again at zero, on some devices after a few minutes. `end` is never before `start`, also
// where that happened in between.
typedef struct mez_event_profile {
    uint64_t start;
    uint64_t end;
    uint64_t reserved[6]; // zero: mezzanine/base.h
} mez_event_profile;

// MEZ_ERRC_PROFILING: the event's queue was created without mez_queue_params.profiling, or the
//     device does not report the frequency of its clock.
// MEZ_ERRC_NOT_READY: the task has not finished. MEZ_ERRC_INVALID_PARAMETER: NULL.
// MEZ_ERRC_DEVICE_LOST, MEZ_ERRC_EVENT, MEZ_ERRC_ASSERT: as mez_event_wait. What the driver says.
MEZ_API MEZ_CHECKED mez_error mez_event_get_profile_at(
    const mez_location *where, mez_event *event, mez_event_profile *profile);

// --- Events that the program signals

// Zero is the default of each member.
typedef struct mez_user_event_params {
    const char *debug_name; // shown in messages; copied, at most 63 bytes
    uint64_t reserved[4];   // must be zero: mezzanine/base.h
} mez_user_event_params;

// Creates an event that belongs to no task, and happens when mez_user_event_signal is called. Tasks
// of any queue of the context may wait for it (mez_task_params.wait_for), and so may threads. Until
// then the library keeps the tasks that wait for it, and everything submitted behind them to an
// in-order queue, as it keeps tasks behind a host task. Replays may wait for such an event;
// recorded operations can't wait for events. `params` NULL: the defaults.
//
// The program should signal the event in any case, because waits for those tasks, and
// mez_queue_destroy, last until it does. A wait that lasts longer than MEZ_STALL logs a warning,
// which names the events that have not been signalled. If the event is destroyed before it is
// signalled, the tasks and threads that wait for it fail as if it were the event of a failed task,
// and the story has the place of mez_event_destroy.
//
// The function of a host task can't wait for such an event, or for a task that waits for it, before
// it is signalled: the code that would signal it may come after that function. Such a wait fails
// (mez_event_wait).
//
// MEZ_ERRC_INVALID_PARAMETER: `context` or `event` is NULL, or `reserved` is not zero.
// MEZ_ERRC_OUT_OF_HOST_MEMORY. What the driver says. On failure *event is NULL.
MEZ_API MEZ_CHECKED mez_error mez_user_event_create_at(const mez_location *where,
    struct mez_context *context, const mez_user_event_params *params, mez_event **event);

// Signals such an event, from any thread. An event can be signalled once. If `outcome` is success,
// the tasks that wait for it start; otherwise they fail with MEZ_ERRC_EVENT, and threads that wait
// for the event get `outcome`. As soon as such a wait has returned, any thread may destroy the
// event. A wait that returns a timeout, "not ready" or a failed assert means something else; if
// `outcome` is one of these, threads that wait get MEZ_ERRC_EVENT, and its story has `outcome`.
//
// MEZ_ERRC_EVENT: the event was not created by mez_user_event_create.
// MEZ_ERRC_WRONG_STATE: it has been signalled before, and keeps that outcome.
// MEZ_ERRC_INVALID_PARAMETER: NULL.
MEZ_API MEZ_CHECKED mez_error mez_user_event_signal_at(
    const mez_location *where, mez_event *event, mez_error outcome);

#ifndef __cplusplus
#define mez_user_event_create(...) mez_user_event_create_at(MEZ_HERE, __VA_ARGS__)
#define mez_user_event_signal(...) mez_user_event_signal_at(MEZ_HERE, __VA_ARGS__)
#endif

// Gives up your reference to the event and sets *event to NULL. The task goes on.
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
