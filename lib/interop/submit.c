// SPDX-License-Identifier: MIT
//
// Native tasks: the user fills a command list, which runs as one task of a queue.

#include <mezzanine/level_zero.h>

#include "lists/batch.h"
#include "queue/companion.h"
#include "task/params.h"
#include "traced_calls.h"

// The events to wait for stand before the list: it is filled before it is known where it will stand, so that its first
// command can't wait for them.
static mez_error wait_first(
    const mez_location *where, mez_queue *queue, const mez_task_params *task)
{
    mez_command barrier = {.kind = MEZ_COMMAND_NOTHING, .where = where};
    if (!task || task->wait_count == 0)
        return mez_queue_is_spread(queue) ? mez_queue_submit_task(queue, &barrier, NULL) : mez_ok();
    mez_command nothing = {.kind = MEZ_COMMAND_NOTHING, .where = where};
    const mez_task_params waiting = {
        .debug_name = task->debug_name,
        .wait_for = task->wait_for,
        .wait_count = task->wait_count,
    };
    return mez_queue_submit_task(queue, &nothing, &waiting);
}

static mez_error take_list(mez_queue *queue, mez_batch **batch)
{
    mez_lock_take(&queue->lock);
    mez_queue_take_up_seen(queue);
    const mez_error error = queue->ops->take_list(queue, batch);
    mez_lock_release(&queue->lock);
    return error;
}

static void give_list(mez_queue *queue, mez_batch *batch)
{
    mez_lock_take(&queue->lock);
    queue->ops->give_list(queue, batch);
    mez_lock_release(&queue->lock);
}

static mez_error fill(mez_batch *batch, mez_native_function function, void *user)
{
    const ze_result_t result = function(user, batch->list);
    if (result == ZE_RESULT_SUCCESS)
        return mez_ok();
    return mez_error_make_native(
        MEZ_CATEGORY_LEVEL_ZERO, (int32_t)result, "the function of a native task failed");
}

// The task is the driver's already: a failure is for the queue's next wait.
static void bar_what_follows(const mez_location *where, mez_queue *queue)
{
    mez_command barrier = {.kind = MEZ_COMMAND_NOTHING, .where = where};
    const mez_error error = mez_queue_submit_task(queue, &barrier, NULL);
    if (!mez_failed(error))
        return;
    mez_lock_take(&queue->lock);
    mez_queue_keep_error(queue, error);
    mez_lock_release(&queue->lock);
}

static mez_error submit_list(const mez_location *where, mez_queue *queue, mez_batch *batch,
    const mez_task_params *task, bool *taken)
{
    mez_command command = {.kind = MEZ_COMMAND_LIST, .where = where};
    command.list.batch = batch;
    command.list.taken = taken;
    const mez_task_params rest = {
        .debug_name = task ? task->debug_name : NULL,
        .event = task ? task->event : NULL,
        .device_event = task && task->device_event,
    };
    MEZ_TRY(wait_first(where, queue, task));
    MEZ_TRY(mez_queue_submit_task(queue, &command, &rest));
    if (mez_queue_is_spread(queue))
        bar_what_follows(where, queue);
    return mez_ok();
}

static mez_error submit_filled(const mez_location *where, mez_queue *queue,
    mez_native_function function, void *user, const mez_task_params *task)
{
    mez_batch *batch;
    bool taken = false;
    MEZ_TRY(mez_task_check_reserved(task));
    MEZ_TRY(take_list(queue, &batch));
    mez_error error = fill(batch, function, user);
    if (!mez_failed(error))
        error = submit_list(where, queue, batch, task, &taken);
    if (!taken)
        give_list(queue, batch);
    return error;
}

MEZ_TRACE_BODY mez_error submit(const mez_location *where, mez_queue *queue,
    mez_native_function function, void *user, const mez_task_params *task)
{
    return mez_queue_add_facts(
        submit_filled(where, queue, function, user, task), where, queue, task);
}

MEZ_TRACED_CALL(mez_submit_native, submit)

mez_error mez_submit_native_at(const mez_location *where, mez_queue *queue,
    mez_native_function function, void *user, const mez_task_params *task)
{
    if (task && task->event)
        *task->event = NULL;
    MEZ_REQUIRE(queue, where);
    MEZ_REQUIRE(function, where);
    MEZ_TRACE_CALL(mez_submit_native, where, submit, where, queue, function, user, task);
}
