// SPDX-License-Identifier: MIT

#include "queue/queue.h"

#include "base/alloc.h"
#include "memory/memory.h"
#include "queue/replay.h"

static void queue_free(mez_queue *queue)
{
    mez_platform *platform = queue->platform;
    mez_free_memory(queue->name);
    mez_free_memory(queue);
    mez_platform_unref(platform);
}

void mez_queue_complete(mez_queue *queue, uint64_t task, mez_error outcome)
{
    if (task <= queue->completed)
        return;
    queue->completed = task;
    atomic_store_explicit(&queue->timeline.completed, task, memory_order_release);
    mez_kept_complete(&queue->kept, task, outcome);
    if (queue->uses.busy)
        mez_uses_complete(&queue->uses, task);
    if (queue->oldest_replay)
        mez_replays_complete(queue, task);
}

void mez_queue_lose(mez_queue *queue, uint64_t first, uint64_t last, mez_error outcome)
{
    if (queue->completed + 1 >= first) // nothing older is in flight
        mez_queue_complete(queue, last, outcome);
    else
        mez_kept_lose(&queue->kept, first, last, outcome);
}

static mez_error queue_init(mez_queue *queue, const mez_queue_params *params)
{
    if (!queue->name)
        return mez_error_no_memory("a queue's name");
    if (params->order > MEZ_OUT_OF_ORDER)
        return mez_error_make(
            MEZ_ERRC_INVALID_PARAMETER, "queue order %d does not exist", (int)params->order);
    queue->in_order = params->order == MEZ_IN_ORDER;
    MEZ_TRY(
        mez_queue_choose_kind(&queue->platform->caps, params->kind, queue->in_order, &queue->ops));
    return queue->ops->init(queue);
}

static mez_queue *queue_of(mez_timeline *timeline)
{
    return (mez_queue *)((char *)timeline - offsetof(mez_queue, timeline));
}

static uint64_t look_at_timeline(mez_timeline *timeline)
{
    mez_queue *queue = queue_of(timeline);
    if (!mez_lock_try(&queue->lock))
        return mez_timeline_completed(timeline);
    const uint64_t task = queue->ops->look(queue);
    mez_lock_release(&queue->lock);
    return task;
}

static void drain_timeline(mez_timeline *timeline)
{
    mez_log_error(MEZ_TOPIC_QUEUE, mez_queue_wait(queue_of(timeline)));
}

static void add_to_platform(mez_queue *queue, const mez_location *where)
{
    mez_object_add(queue->platform, &queue->object, MEZ_OBJECT_QUEUE, queue->name);
    mez_object_set_place(queue->platform, &queue->object, where);
    queue->timeline.look = look_at_timeline;
    queue->timeline.drain = drain_timeline;
    mez_timeline_add(queue->platform, &queue->timeline);
}

static mez_error queue_create(const mez_location *where, mez_context *context,
    const mez_queue_params *params, mez_queue **created)
{
    mez_platform *platform = mez_platform_of(context);
    mez_device *device;
    MEZ_TRY(mez_platform_device(platform, params->device, &device));
    mez_queue *queue = mez_new(mez_queue);
    if (!queue)
        return mez_error_no_memory("a queue");
    mez_ref_init(&queue->ref);
    queue->platform = platform;
    mez_platform_ref(platform);
    queue->device = device;
    queue->profiling = params->profiling;
    queue->name = mez_copy_string(params->debug_name ? params->debug_name : "queue");

    const mez_error error = queue_init(queue, params);
    if (mez_failed(error)) {
        queue_free(queue);
        return error;
    }
    add_to_platform(queue, where);
    mez_log(QUEUE, DEBUG, "\"%s\": %s, %s, on device \"%s\"", queue->name,
        queue->in_order ? "in order" : "out of order", queue->ops->name, device->info.name);
    *created = queue;
    return error;
}

mez_error mez_queue_create_at(const mez_location *where, mez_context *context,
    const mez_queue_params *params, mez_queue **queue)
{
    static const mez_queue_params defaults;
    MEZ_REQUIRE(queue, where);
    *queue = NULL;
    MEZ_REQUIRE(context, where);
    return mez_error_add_place(
        queue_create(where, context, params ? params : &defaults, queue), where);
}

void mez_queue_ref(mez_queue *queue)
{
    mez_ref_get(&queue->ref);
}

void mez_queue_unref(mez_queue *queue)
{
    if (mez_ref_put(&queue->ref))
        queue_free(queue);
}

void mez_queue_destroy(mez_queue **destroyed)
{
    if (!destroyed || !*destroyed)
        return;
    mez_queue *queue = *destroyed;
    *destroyed = NULL;
    mez_log_error(MEZ_TOPIC_QUEUE, mez_queue_wait(queue));
    mez_timeline_remove(queue->platform, &queue->timeline);
    queue->ops->finish(queue);
    mez_replays_complete(queue, UINT64_MAX); // those that were lost behind others
    mez_kernel_uses_destroy_of_queue(queue->platform, &queue->uses.all);
    mez_kept_finish(&queue->kept);
    mez_object_remove(queue->platform, &queue->object);
    mez_queue_unref(queue);
}

void mez_queue_keep_error(mez_queue *queue, mez_error error)
{
    if (!mez_failed(queue->error)) {
        queue->error = mez_error_retain(error);
        atomic_store_explicit(&queue->failed, true, memory_order_release);
    } else if (queue->error.origin != error.origin) // one story comes once for each batch it hit
        mez_log_error(MEZ_TOPIC_QUEUE, error);
}

static bool has_failed(const mez_queue *queue)
{
    return atomic_load_explicit(&queue->failed, memory_order_acquire);
}

static mez_error take_error(mez_queue *queue)
{
    mez_lock_take(&queue->lock);
    const mez_error error = queue->error;
    queue->error = mez_ok();
    atomic_store_explicit(&queue->failed, false, memory_order_relaxed);
    mez_lock_release(&queue->lock);
    return mez_failed(error) ? mez_error_hand_over(error) : error;
}

// What failed, told now: the error kept for the user, which may be an older one.
static mez_error tell(mez_queue *queue, mez_error failure)
{
    if (!has_failed(queue))
        return failure;
    const mez_error error = take_error(queue);
    return mez_failed(error) ? error : failure;
}

mez_error mez_queue_flush(mez_queue *queue)
{
    MEZ_REQUIRE(queue, NULL);
    if (!queue->ops->flush)
        return mez_ok();
    mez_lock_take(&queue->lock);
    const mez_error failure = queue->ops->flush(queue, mez_queue_last_task(queue));
    mez_lock_release(&queue->lock);
    return mez_failed(failure) ? tell(queue, failure) : failure;
}

mez_error mez_queue_wait_for(mez_queue *queue, uint64_t timeout)
{
    MEZ_REQUIRE(queue, NULL);
    const uint64_t task = mez_timeline_submitted(&queue->timeline);
    if (mez_timeline_completed(&queue->timeline) >= task && !has_failed(queue))
        return mez_ok();
    const mez_error failure = queue->ops->wait(queue, task, mez_deadline_after(timeout));
    mez_memory_sweep(queue->platform);
    return tell(queue, failure);
}

mez_error mez_queue_wait(mez_queue *queue)
{
    return mez_queue_wait_for(queue, MEZ_FOREVER);
}
