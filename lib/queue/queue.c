// SPDX-License-Identifier: MIT

#include "queue/queue.h"

#include "base/alloc.h"
#include "memory/memory.h"

static void queue_free(mez_queue *queue)
{
    mez_platform *platform = queue->platform;
    pthread_mutex_destroy(&queue->lock);
    mez_free_memory(queue->name);
    mez_free_memory(queue);
    mez_platform_unref(platform);
}

static mez_queue *queue_of(mez_timeline *timeline)
{
    return (mez_queue *)((char *)timeline - offsetof(mez_queue, timeline));
}

static uint64_t look_at_timeline(mez_timeline *timeline)
{
    mez_queue *queue = queue_of(timeline);
    if (pthread_mutex_trylock(&queue->lock) != 0)
        return mez_timeline_completed(timeline);
    const uint64_t task = queue->ops->look(queue);
    pthread_mutex_unlock(&queue->lock);
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
    queue->ops = &mez_batched_queue;
    queue->name = mez_copy_string(params->debug_name ? params->debug_name : "queue");
    pthread_mutex_init(&queue->lock, NULL);

    const mez_error error = queue->name ? queue->ops->init(queue) : mez_error_no_memory("a name");
    if (mez_failed(error)) {
        queue_free(queue);
        return error;
    }
    add_to_platform(queue, where);
    mez_log(QUEUE, DEBUG, "\"%s\": %s, on device \"%s\"", queue->name, queue->ops->name,
        device->info.name);
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
    mez_object_remove(queue->platform, &queue->object);
    mez_queue_unref(queue);
}

static uint64_t newest_task(mez_queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    const uint64_t task = queue->last_task;
    pthread_mutex_unlock(&queue->lock);
    return task;
}

void mez_queue_keep_error(mez_queue *queue, mez_error error)
{
    if (!mez_failed(queue->error))
        queue->error = mez_error_retain(error);
    else if (queue->error.origin != error.origin) // one story comes once for each batch it hit
        mez_log_error(MEZ_TOPIC_QUEUE, error);
}

static mez_error take_error(mez_queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    const mez_error error = queue->error;
    queue->error = mez_ok();
    pthread_mutex_unlock(&queue->lock);
    return mez_error_hand_over(error);
}

// What failed, told now: the error kept for the user, which may be an older one.
static mez_error tell(mez_queue *queue, mez_error failure)
{
    const mez_error error = take_error(queue);
    return mez_failed(error) ? error : failure;
}

mez_error mez_queue_flush(mez_queue *queue)
{
    MEZ_REQUIRE(queue, NULL);
    const mez_error failure = queue->ops->flush(queue, newest_task(queue));
    return mez_failed(failure) ? tell(queue, failure) : failure;
}

mez_error mez_queue_wait_for(mez_queue *queue, uint64_t timeout)
{
    MEZ_REQUIRE(queue, NULL);
    const mez_deadline deadline = mez_deadline_after(timeout);
    const mez_error failure = queue->ops->wait(queue, newest_task(queue), deadline);
    mez_memory_sweep(queue->platform);
    return tell(queue, failure);
}

mez_error mez_queue_wait(mez_queue *queue)
{
    return mez_queue_wait_for(queue, MEZ_FOREVER);
}
