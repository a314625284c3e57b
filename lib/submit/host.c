// SPDX-License-Identifier: MIT
//
// Host tasks and markers: tasks that the device knows nothing of.

#include "queue/queue.h"
#include "traced_calls.h"

static mez_error submit_host(const mez_location *where, mez_queue *queue,
    mez_host_function function, void *user, const mez_task_params *task, bool after_all)
{
    mez_command command = {.kind = MEZ_COMMAND_HOST, .where = where};
    command.host.function = function;
    command.host.user = user;
    command.host.after_all = after_all;
    return mez_queue_submit_task(queue, &command, task);
}

MEZ_TRACE_BODY mez_error host_task(const mez_location *where, mez_queue *queue,
    mez_host_function function, void *user, const mez_task_params *task)
{
    return mez_queue_add_facts(
        submit_host(where, queue, function, user, task, queue->in_order), where, queue, task);
}

MEZ_TRACED_CALL(mez_host_task, host_task)

mez_error mez_host_task_at(const mez_location *where, mez_queue *queue, mez_host_function function,
    void *user, const mez_task_params *task)
{
    if (task && task->event)
        *task->event = NULL;
    MEZ_REQUIRE(queue, where);
    MEZ_REQUIRE(function, where);
    MEZ_TRACE_CALL(mez_host_task, where, host_task, where, queue, function, user, task);
}

// In order, a barrier delays nothing that does not wait anyway.
static mez_error submit_marker(
    const mez_location *where, mez_queue *queue, const mez_task_params *task)
{
    if (!queue->in_order)
        return submit_host(where, queue, NULL, NULL, task, true);
    mez_command command = {.kind = MEZ_COMMAND_NOTHING, .where = where};
    return mez_queue_submit_task(queue, &command, task);
}

MEZ_TRACE_BODY mez_error marker(
    const mez_location *where, mez_queue *queue, const mez_task_params *task)
{
    return mez_queue_add_facts(submit_marker(where, queue, task), where, queue, task);
}

MEZ_TRACED_CALL(mez_marker, marker)

mez_error mez_marker_at(const mez_location *where, mez_queue *queue, const mez_task_params *task)
{
    if (task && task->event)
        *task->event = NULL;
    MEZ_REQUIRE(queue, where);
    MEZ_TRACE_CALL(mez_marker, where, marker, where, queue, task);
}
