// SPDX-License-Identifier: MIT
//
// Quick paths: a task that waits for no events, on a queue whose driver keeps the order, is one append. Launches, copies and
// prepared launches have a path each for that, with what all tasks need from here; whatever does not fit goes through
// mez_queue_submit_task, with nothing done yet.
//
// Each instruction here is paid for by every launch: docs/performance.md.

#ifndef MEZ_QUEUE_QUICK_PATH_H
#define MEZ_QUEUE_QUICK_PATH_H

#include "device/platform.h"
#include "memory/memory.h"
#include "queue/queue.h"
#include "queue/stall.h"
#include "queue/probes.h"
#include "task/params.h"

// Compiled once for tasks without parameters, and once for the others, so that the first pay nothing for those.
#define MEZ_QUICK_PATH __attribute__((always_inline)) static inline

// Could the task take a quick path? The queue has the last word, under its lock.
static inline bool mez_fast_fits(const mez_queue *queue, const mez_task_params *task)
{
    return queue && mez_queue_in_order_list(queue) &&
           (!task || (mez_task_is_plain(task) && !queue->discard_events));
}

// Takes the lock. NULL: the queue needs more than an append just now.
static inline ze_command_list_handle_t mez_fast_begin(mez_queue *queue)
{
    mez_lock_take(&queue->lock);
    return mez_queue_in_order_list(queue);
}

// No event is ready: takes up what was seen, which gives events back, and what came back. False: nothing did. Nothing else on
// quick paths leaves more behind than the long ways take up, so that it is enough to do this when events run out.
__attribute__((cold)) bool mez_fast_find_events(mez_queue *queue, mez_event_cache *cache);

// Where the task's event comes from. The host reads the times of those that have any.
static inline mez_event_cache *mez_fast_cache(mez_queue *queue, const mez_task_params *task)
{
    const bool of_device =
        __builtin_expect(task->device_event, 0) && !(queue->event_sort & MEZ_EVENT_TIMED);
    return of_device ? &queue->device_events : &queue->events;
}

// The event that the task asks for, NULL: none. False: none is ready.
MEZ_QUICK_PATH bool mez_fast_event(mez_queue *queue, const mez_task_params *task, mez_event **event)
{
    *event = NULL;
    if (!task || !task->event)
        return true;
    mez_event_cache *cache = mez_fast_cache(queue, task);
    if (__builtin_expect(!cache->ready, 0) && !mez_fast_find_events(queue, cache))
        return false;
    *event = mez_event_cache_take_ready(cache);
    return true;
}

static inline ze_event_handle_t mez_fast_signal(const mez_event *event)
{
    return event ? event->ze : NULL;
}

// The task has been appended: its number.
static inline uint64_t mez_fast_appended(
    mez_queue *queue, const mez_task_params *task, mez_event *event)
{
    const uint64_t number = mez_queue_count_quick(queue);
    if (event) {
        event->task = number;
        mez_task_references_add_signalled(&queue->references, event);
        *task->event = event;
    }
    return number;
}

// Who it is, for whoever must name it.
static inline void mez_fast_note(mez_queue *queue, uint64_t number, mez_command_kind kind,
    const mez_kernel *kernel, const mez_location *where, const mez_task_params *task)
{
    mez_history_note(&queue->history, number, kind, kernel, where);
    if (__builtin_expect(task && task->debug_name, 0))
        mez_history_name(&queue->history, number, task->debug_name);
}

// It has not.
__attribute__((cold)) void mez_fast_failed(const mez_task_params *task, mez_event *event);

// Waits for everything up to `newest` on a queue with an in-order list: mez_queue_wait with all that belongs to it, in one frame.
mez_error mez_immediate_wait(const mez_location *where, mez_queue *queue, uint64_t newest);

// Where nothing is freed late, and nothing is checked, nothing has to be looked at.
static inline void mez_queue_sweep(mez_queue *queue)
{
    if (atomic_load_explicit(&queue->platform->deferred_frees, memory_order_relaxed) > 0)
        mez_queue_sweep_now(queue);
}

// What ends a user's wait: frees that waited for tasks, and a failure that nobody has received, which may be an older one.
static inline mez_error mez_queue_waited(mez_queue *queue, mez_error failure)
{
    mez_queue_sweep(queue);
    if (__builtin_expect(mez_queue_has_failed(queue), 0))
        failure = mez_queue_report_kept(queue, failure);
    if (__builtin_expect(mez_failed(failure), 0))
        return mez_queue_note_loss(queue, failure);
    return mez_platform_loss(queue->platform);
}

#endif
