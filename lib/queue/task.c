// SPDX-License-Identifier: MIT
//
// What is the same for every task: the events it waits for, and the event that somebody asked for.

#include "base/alloc.h"
#include "queue/queue.h"

#define FEW_EVENTS 16

static mez_error source_flush(void *owner, uint64_t task)
{
    mez_queue *queue = owner;
    return queue->ops->flush(queue, task);
}

// A failed assert is found when the whole batch is retired; where none can be, the event alone is enough.
static mez_error source_finished(void *owner, uint64_t task, mez_deadline deadline)
{
    mez_queue *queue = owner;
    return queue->ops->settle(queue, task, deadline);
}

static void source_unref(void *owner)
{
    mez_queue_unref(owner);
}

static const mez_event_source queue_source = {
    .flush = source_flush,
    .finished = source_finished,
    .unref = source_unref,
};

static mez_error check_wait_list(mez_queue *queue, const mez_task_params *params)
{
    if (params->wait_count > 0 && !params->wait_for)
        return mez_error_make(
            MEZ_ERRC_EVENT, "%zu events to wait for, and no list", params->wait_count);
    for (size_t i = 0; i < params->wait_count; i++) {
        const mez_event *event = params->wait_for[i];
        if (!event)
            return mez_error_make(MEZ_ERRC_EVENT, "event %zu to wait for is NULL", i);
        if (event->platform != queue->platform)
            return mez_error_make(
                MEZ_ERRC_EVENT, "event %zu to wait for belongs to another context", i);
    }
    return mez_ok();
}

// An in-order queue has no need to wait for itself, nor for what is over.
static bool must_wait(const mez_queue *queue, const mez_event *event)
{
    return event->owner != queue && !mez_event_is_complete(event);
}

// The driver never signals the event of a task that was lost.
static mez_error check_not_lost(const mez_event *event, size_t index)
{
    if (!mez_event_is_complete(event) || !mez_failed(event->outcome))
        return mez_ok();
    const mez_error error = mez_error_make(
        MEZ_ERRC_EVENT, "event %zu to wait for will never happen: its task failed", index);
    return mez_error_add(error, "its task", "%s: %s", mez_error_name(event->outcome),
        mez_error_message(event->outcome));
}

// Fills `wait` with the events that matter, and hands their tasks to the device: otherwise we would wait for a batch that
// nobody submits.
static mez_error collect(
    mez_queue *queue, const mez_task_params *params, mez_event **wait, uint32_t *count)
{
    *count = 0;
    for (size_t i = 0; i < params->wait_count; i++) {
        mez_event *event = params->wait_for[i];
        if (must_wait(queue, event)) // a failure shows in the event, and its own queue keeps it
            event->source->flush(event->owner, event->task);
        MEZ_TRY(check_not_lost(event, i));
        if (must_wait(queue, event))
            wait[(*count)++] = event;
    }
    return mez_ok();
}

static mez_error submit_with_event(mez_queue *queue, mez_task *task, mez_event **asked)
{
    uint64_t number;
    if (!asked)
        return queue->ops->submit(queue, task, &number);
    MEZ_TRY(mez_event_create(queue->platform, &task->event));
    mez_event *event = task->event;
    event->source = &queue_source;
    event->owner = queue;
    mez_queue_ref(queue);
    const mez_error error = queue->ops->submit(queue, task, &event->task);
    if (mez_failed(error))
        mez_event_unref(event);
    else
        *asked = event;
    return error;
}

mez_error mez_queue_submit_task(
    mez_queue *queue, const mez_command *command, const mez_task_params *params)
{
    static const mez_task_params defaults;
    if (!params)
        params = &defaults;
    MEZ_TRY(check_wait_list(queue, params));

    mez_event *few[FEW_EVENTS];
    mez_event **wait = few;
    if (params->wait_count > FEW_EVENTS) {
        wait = mez_alloc_array(params->wait_count, sizeof *wait);
        if (!wait)
            return mez_error_no_memory("a list of events");
    }
    mez_task task = {.command = command, .wait = wait};
    mez_error error = collect(queue, params, wait, &task.wait_count);
    if (!mez_failed(error))
        error = submit_with_event(queue, &task, params->event);
    if (wait != few)
        mez_free_memory(wait);
    return error;
}

mez_error mez_queue_tell(
    mez_error error, const mez_location *where, const mez_queue *queue, const mez_task_params *task)
{
    if (!mez_failed(error))
        return error;
    error = mez_error_add(error, "queue", "\"%s\"", queue->name);
    if (task && task->debug_name)
        error = mez_error_add(error, "task", "\"%s\"", task->debug_name);
    return mez_error_add_place(error, where);
}
