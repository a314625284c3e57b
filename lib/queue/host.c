// SPDX-License-Identifier: MIT
//
// Host tasks and markers: tasks that the device knows nothing of.

#include "queue/queue.h"
#include "trace/call.h"

static mez_error submit_host(const mez_location *where, mez_queue *queue,
    mez_host_function *function, void *user, const mez_task_params *task, bool after_all)
{
    mez_command command = {.kind = MEZ_COMMAND_HOST, .where = where};
    command.host.function = function;
    command.host.user = user;
    command.host.after_all = after_all;
    return mez_queue_submit_task(queue, &command, task);
}

mez_error mez_host_task_at(const mez_location *where, mez_queue *queue, mez_host_function *function,
    void *user, const mez_task_params *task)
{
    if (task && task->event)
        *task->event = NULL;
    MEZ_REQUIRE(queue, where);
    MEZ_REQUIRE(function, where);
    MEZ_TRACE_BEGIN(mez_host_task, where, queue, function, user, task);
    return MEZ_TRACE_END(mez_queue_tell(
        submit_host(where, queue, function, user, task, queue->in_order), where, queue, task));
}

// In order, a barrier holds nothing back that is not held back anyway.
static mez_error submit_marker(
    const mez_location *where, mez_queue *queue, const mez_task_params *task)
{
    if (!queue->in_order)
        return submit_host(where, queue, NULL, NULL, task, true);
    mez_command command = {.kind = MEZ_COMMAND_NOTHING, .where = where};
    return mez_queue_submit_task(queue, &command, task);
}

mez_error mez_marker_at(const mez_location *where, mez_queue *queue, const mez_task_params *task)
{
    if (task && task->event)
        *task->event = NULL;
    MEZ_REQUIRE(queue, where);
    MEZ_TRACE_BEGIN(mez_marker, where, queue, task);
    return MEZ_TRACE_END(mez_queue_tell(submit_marker(where, queue, task), where, queue, task));
}
