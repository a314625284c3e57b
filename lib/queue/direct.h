// SPDX-License-Identifier: MIT
//
// Direct tasks: more than the quick paths (quick_path.h) append by themselves, and less than needs mez_queue_submit_task. A direct task
// may wait for events, signal one of any sort, and be of a queue out of order; but nothing is deferred, traced or compiled for it, and
// all that it needs is at hand. A list that the driver keeps in order takes it.
//
//     mez_direct direct;
//     if (!mez_direct_open(queue, params, true, &direct))
//         return submit_the_long_way();
//     error = ZE(zeCommandListAppend..., direct.list, ..., mez_fast_signal(direct.event), direct.wait_count, mez_direct_waits(&direct));
//     mez_direct_close(queue, params, &direct, error, &command);

#ifndef MEZ_QUEUE_DIRECT_H
#define MEZ_QUEUE_DIRECT_H

#include "queue/quick_path.h"
#include "queue/slow.h"

#define MEZ_DIRECT_WAITS 8

typedef struct mez_direct {
    ze_command_list_handle_t list;
    mez_event *event; // to signal; NULL: none
    uint32_t wait_count;
    mez_event *wait[MEZ_DIRECT_WAITS];
    ze_event_handle_t ze_wait[MEZ_DIRECT_WAITS];
} mez_direct;

// What a direct task can't do.
static inline bool mez_direct_fits(const mez_task_params *params)
{
    return mez_task_extras(params) == 0 && params->wait_count <= MEZ_DIRECT_WAITS &&
           (params->wait_count == 0 || params->wait_for);
}

// Adds the event where the driver must wait for it, behind `count` others, and hands its task to the device: otherwise we would wait for
// a batch that nobody submits. False: it is wrong, has failed, or is of a task that is deferred.
static inline bool mez_direct_add_wait(
    mez_queue *queue, mez_event *event, mez_direct *direct, uint32_t *count)
{
    if (!event || event->platform != queue->platform)
        return false;
    // Looked at first: a host task that is not deferred any more is complete, and the driver must not wait for its event.
    if (mez_event_is_deferred(event))
        return false;
    if (mez_event_is_complete(event))
        return !mez_failed(event->outcome);
    if (event->owner == queue && queue->in_order)
        return true;
    if (!event->handed_over && event->owner != queue)
        event->source->flush(event->owner, event->task);
    direct->wait[*count] = event;
    direct->ze_wait[(*count)++] = event->ze;
    return true;
}

// What the task waits for is on its way. False: it takes the long way. Without locks.
static inline bool mez_direct_prepare(
    mez_queue *queue, const mez_task_params *params, mez_direct *direct)
{
    uint32_t count = 0; // compilers would write the member each time
    direct->wait_count = 0;
    if (!params)
        return true;
    if (!mez_direct_fits(params))
        return false;
    for (size_t i = 0; i < params->wait_count; i++)
        if (!mez_direct_add_wait(queue, params->wait_for[i], direct, &count))
            return false;
    direct->wait_count = count;
    return true;
}

// False: none is ready. Of a queue that discards them, no task has one.
static inline bool mez_direct_find_event(
    mez_queue *queue, const mez_task_params *params, mez_direct *direct)
{
    direct->event = NULL;
    if (!params || !params->event)
        return true;
    if (!queue->discard_events)
        return mez_fast_event(queue, params, &direct->event);
    *params->event = NULL;
    return true;
}

// Finds list and event, where lists take tasks now (list_count). False: the task takes the long way. The caller holds the lock.
// `validated`: there is no memory of the task's to check (submit/ranges.h).
static inline bool mez_direct_begin(
    mez_queue *queue, const mez_task_params *params, bool validated, mez_direct *direct)
{
    const unsigned allowed =
        MEZ_SLOW_UNWATCHED | MEZ_SLOW_DOZES | (validated ? (unsigned)MEZ_SLOW_VALIDATED : 0u);
    const unsigned slow = atomic_load_explicit(&queue->slow, memory_order_relaxed);
    if ((slow & ~allowed) != 0 ||
        (direct->wait_count > 0 &&
            !mez_task_references_has_room(&queue->references, direct->wait_count)) ||
        !mez_direct_find_event(queue, params, direct))
        return false;
    direct->list = queue->lists[queue->turn++ & (queue->list_count - 1)];
    return true;
}

// The driver has taken the task: its number. The caller holds the lock.
static inline uint64_t mez_direct_appended(
    mez_queue *queue, const mez_task_params *params, const mez_direct *direct)
{
    if (__builtin_expect(queue->dozes, 0))
        mez_queue_wake(queue);
    const uint64_t number = mez_fast_appended(queue, params, direct->event);
    mez_task_references_add_waited(&queue->references, number, direct->wait, direct->wait_count);
    mez_handling_watch(queue);
    return number;
}

static inline ze_event_handle_t *mez_direct_waits(mez_direct *direct)
{
    return direct->wait_count > 0 ? direct->ze_wait : NULL;
}

// All of it for tasks that launch nothing. True: the queue's lock is held until mez_direct_close, which is given what the driver said,
// and what the task is.
bool mez_direct_open(
    mez_queue *queue, const mez_task_params *params, bool validated, mez_direct *direct);
void mez_direct_close(mez_queue *queue, const mez_task_params *params, mez_direct *direct,
    mez_error error, const mez_command *command);

#endif
