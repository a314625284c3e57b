// SPDX-License-Identifier: MIT

#include "queue/direct.h"

#include "queue/slow.h"

// What a direct task can't do.
static bool asks_for_more(const mez_task_params *params)
{
    const uint64_t device_event = UINT64_C(0xff) << 8 * (offsetof(mez_task_params, device_event) -
                                                            offsetof(mez_task_params, cooperative));
    return ((mez_task_flags(params) & ~device_event) | MEZ_RESERVED_BITS(params)) != 0 ||
           params->wait_count > MEZ_DIRECT_WAITS || (params->wait_count > 0 && !params->wait_for);
}

// Adds the event where the driver must wait for it, and hands its task to the device: otherwise we would wait for a batch that nobody
// submits. False: it is wrong, has failed, or is of a task that is deferred.
static inline bool add_wait(mez_queue *queue, mez_event *event, mez_direct *direct)
{
    if (!event || event->platform != queue->platform)
        return false;
    if (mez_event_is_complete(event))
        return !mez_failed(event->outcome);
    if (mez_event_is_deferred(event))
        return false;
    if (event->owner != queue)
        event->source->flush(event->owner, event->task);
    else if (queue->in_order)
        return true;
    direct->wait[direct->wait_count] = event;
    direct->ze_wait[direct->wait_count++] = event->ze;
    return true;
}

static bool add_waits(mez_queue *queue, const mez_task_params *params, mez_direct *direct)
{
    for (size_t i = 0; i < params->wait_count; i++)
        if (!add_wait(queue, params->wait_for[i], direct))
            return false;
    return true;
}

static mez_event_cache *cache_for(mez_queue *queue, const mez_task_params *params)
{
    const bool timed = queue->event_sort & MEZ_EVENT_TIMED; // the host reads the times
    return params->device_event && !timed ? &queue->device_events : &queue->events;
}

// False: none is ready.
static inline bool find_event(mez_queue *queue, const mez_task_params *params, mez_direct *direct)
{
    direct->event = NULL;
    if (!params || !params->event || queue->discard_events)
        return true;
    mez_event_cache *cache = cache_for(queue, params);
    if (__builtin_expect(!cache->ready, 0) && !mez_event_cache_collect(cache))
        return false;
    direct->event = mez_event_cache_take_ready(cache);
    return true;
}

// The caller holds the lock.
static inline bool take_list(mez_queue *queue, bool validated, mez_direct *direct)
{
    const unsigned slow = atomic_load_explicit(&queue->slow, memory_order_relaxed);
    const unsigned allowed = MEZ_SLOW_UNWATCHED | (validated ? (unsigned)MEZ_SLOW_VALIDATED : 0u);
    if ((slow & ~allowed) != 0)
        return false;
    direct->list = queue->lists[queue->turn++ & (queue->list_count - 1)];
    return true;
}

bool mez_direct_begin(
    mez_queue *queue, const mez_task_params *params, bool validated, mez_direct *direct)
{
    direct->wait_count = 0;
    if (queue->list_count == 0)
        return false;
    if (params && (asks_for_more(params) || !add_waits(queue, params, direct)))
        return false;
    mez_lock_take(&queue->lock);
    mez_queue_take_up_seen(queue);
    if (take_list(queue, validated, direct) &&
        mez_task_references_has_room(&queue->references, direct->wait_count) &&
        find_event(queue, params, direct))
        return true;
    mez_lock_release(&queue->lock);
    return false;
}

void mez_direct_leave(mez_queue *queue, mez_direct *direct)
{
    mez_lock_release(&queue->lock);
    mez_fast_failed(NULL, direct->event);
}

__attribute__((cold)) static void fail(
    mez_queue *queue, const mez_task_params *params, mez_direct *direct)
{
    mez_lock_release(&queue->lock);
    mez_fast_failed(params, direct->event);
}

void mez_direct_end(mez_queue *queue, const mez_task_params *params, mez_direct *direct,
    mez_error error, const mez_command *command)
{
    mez_probe_task_end(queue, direct->event, error, mez_queue_last_task(queue) + 1);
    if (__builtin_expect(mez_failed(error), 0)) {
        fail(queue, params, direct);
        return;
    }
    const uint64_t number = mez_fast_appended(queue, params, direct->event);
    if (params && params->event && !direct->event)
        *params->event = NULL; // it is discarded
    for (uint32_t i = 0; i < direct->wait_count; i++)
        mez_task_references_add_waited(&queue->references, number, direct->wait[i]);
    if (command->kind == MEZ_COMMAND_KERNEL)
        mez_used_kernels_note(&queue->kernels, command->launch.use, number);
    if (command->debug_name || command->kind != MEZ_COMMAND_KERNEL)
        mez_history_add(&queue->history, number, command, command->debug_name != NULL);
    else
        mez_history_note(
            &queue->history, number, command->kind, command->launch.kernel, command->where);
    mez_handling_watch(queue);
    mez_lock_release(&queue->lock);
}
