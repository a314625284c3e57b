// SPDX-License-Identifier: MIT

#include "queue/companion.h"

#include "memory/memory.h"

mez_error mez_companion_make(mez_queue *queue)
{
    if (mez_companion_of(queue))
        return mez_ok();
    mez_queue *made, *none = NULL;
    MEZ_TRY(mez_queue_create_companion(queue, &made));
    if (!atomic_compare_exchange_strong(&queue->companion, &none, made))
        mez_queue_destroy_companion(made); // somebody else was faster
    return mez_ok();
}

static bool is_device(const mez_queue *queue, const mez_memory_info *info)
{
    return info->origin == MEZ_POINTER_ALLOCATION && info->kind == MEZ_MEMORY_DEVICE &&
           info->device == queue->device;
}

static bool is_host(const mez_memory_info *info)
{
    return info->origin == MEZ_POINTER_PLAIN ||
           (info->origin == MEZ_POINTER_ALLOCATION && info->kind == MEZ_MEMORY_HOST);
}

bool mez_companion_suits_copy(const mez_queue *queue, const void *to, const void *from, size_t size)
{
    if (queue->in_order || !queue->any_engine || size < MEZ_LARGE_COPY ||
        queue->device->copy.queues == 0)
        return false;
    mez_memory_info target, source;
    if (mez_failed(mez_memory_find_info(queue->platform, to, &target)) ||
        mez_failed(mez_memory_find_info(queue->platform, from, &source)))
        return false;
    return (is_device(queue, &target) && is_host(&source)) ||
           (is_host(&target) && is_device(queue, &source));
}

uint64_t mez_companion_crowded(mez_queue *queue)
{
    mez_queue *companion = mez_companion_of(queue);
    if (!companion->ops->crowded)
        return 0;
    mez_lock_take(&companion->lock);
    const uint64_t task = companion->ops->crowded(companion);
    mez_lock_release(&companion->lock);
    return task;
}

static mez_error hand_over(mez_queue *queue)
{
    return queue->ops->flush ? queue->ops->flush(queue, mez_queue_last_task(queue)) : mez_ok();
}

static mez_error append_nothing(mez_queue *queue, mez_event *signal, mez_event *wait)
{
    mez_command nothing = {.kind = MEZ_COMMAND_NOTHING};
    mez_task task = {.command = &nothing, .event = signal};
    if (wait) {
        task.wait = &wait;
        task.ze_wait = &wait->ze;
        task.wait_count = 1;
    }
    return mez_queue_append_now(queue, &task);
}

// What comes next in `behind` waits for everything in `first`.
static mez_error tie(mez_queue *first, mez_queue *behind)
{
    mez_event *event;
    if (mez_queue_last_task(first) <= first->completed)
        return mez_ok();
    MEZ_TRY(mez_event_create(first->platform, MEZ_EVENT_DEVICE, &event));
    mez_event_ref(event); // the task's
    mez_error error = append_nothing(first, event, NULL);
    if (!mez_failed(error))
        error = hand_over(first);
    if (!mez_failed(error))
        error = append_nothing(behind, NULL, event);
    mez_event_unref(event);
    return error;
}

// Nothing was appended: the task's reference to its event goes.
static mez_error give_up(const mez_task *task, mez_error error)
{
    mez_event_unref(task->event);
    return error;
}

static mez_error append_in_order(mez_queue *queue, mez_queue *companion, const mez_task *task)
{
    const mez_error error = tie(queue, companion);
    if (mez_failed(error))
        return give_up(task, error);
    MEZ_TRY(mez_queue_append_now(companion, task));
    return tie(companion, queue);
}

// The driver must have what the task waits for: nobody else would hand it over.
static mez_error append_out_of_order(mez_queue *queue, mez_queue *companion, const mez_task *task)
{
    const mez_error error = task->wait_count > 0 ? hand_over(queue) : mez_ok();
    if (mez_failed(error))
        return give_up(task, error);
    MEZ_TRY(mez_queue_append_now(companion, task));
    return hand_over(companion);
}

static mez_error append_barrier(mez_queue *queue, mez_queue *companion, const mez_task *task)
{
    const mez_error error = tie(companion, queue);
    if (mez_failed(error))
        return give_up(task, error);
    MEZ_TRY(mez_queue_append_now(queue, task));
    return tie(queue, companion);
}

// The companion may have the task, and nothing holds back what comes behind it in the queue: it ends now.
static void wait_for_loose_end(mez_queue *queue, mez_queue *companion)
{
    const uint64_t task = mez_timeline_submitted(&companion->timeline);
    mez_lock_release(&queue->lock);
    mez_log_error(MEZ_TOPIC_QUEUE, mez_queue_wait_for_task(companion, task, MEZ_NEVER));
    mez_lock_take(&queue->lock);
}

mez_error mez_companion_append(mez_queue *queue, const mez_task *task)
{
    mez_queue *companion = mez_companion_of(queue);
    mez_error error;
    mez_lock_take(&companion->lock);
    mez_queue_take_up_seen(companion);
    if (task->command->kind == MEZ_COMMAND_NOTHING)
        error = append_barrier(queue, companion, task);
    else if (queue->in_order)
        error = append_in_order(queue, companion, task);
    else
        error = append_out_of_order(queue, companion, task);
    if (mez_failed(error))
        mez_queue_take_back_error(companion, error);
    mez_lock_release(&companion->lock);
    if (mez_failed(error) && queue->in_order)
        wait_for_loose_end(queue, companion);
    return error;
}
