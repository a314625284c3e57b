// SPDX-License-Identifier: MIT
//
// Commands of ours in the graph: what copies the records of asserts to the host, and the look at them there.

#include "queue/traced.h"
#include "trace/streams.h"

// --- The copy

// The newest task that the copy is for; NULL: none is known.
static const mez_traced_task *newest_asserting(const mez_queue *queue)
{
    const mez_traced_task *newest = NULL;
    for (const mez_traced_task *task = queue->traced->tasks; task; task = task->next)
        if (task->part == MEZ_TRACED_ASSERTS)
            newest = task;
    return newest;
}

static void add_edges_from_asserting(mez_queue *queue, const mez_trace_node *copy)
{
    for (mez_traced_task *task = queue->traced->tasks; task; task = task->next) {
        if (task->part != MEZ_TRACED_ASSERTS)
            continue;
        mez_trace_edge(task->node, copy, NULL);
        task->part = MEZ_TRACED_COPIED;
    }
}

// NULL: no memory, or nobody listens.
static mez_traced_task *enter_copy(mez_queue *queue, const mez_readback *readback)
{
    const mez_traced_task *newest = newest_asserting(queue);
    if (!newest || !mez_trace_nodes_wanted())
        return NULL;
    const mez_location where = newest->where;
    mez_trace_node *node = mez_traced_describe_copy(queue, readback, &where);
    add_edges_from_asserting(queue, node);
    mez_traced_task *task = mez_traced_add(queue, node);
    if (!task)
        return NULL;
    task->part = MEZ_TRACED_COPIES;
    task->where = where;
    return task;
}

mez_error mez_traced_copy_records(
    mez_queue *queue, mez_readback *readback, ze_command_list_handle_t list)
{
    mez_traced_task *task = enter_copy(queue, readback);
    if (!task)
        return readback->platform->assert_functions->append(readback, list);
    mez_trace_node_begin(task->node);
    const mez_error error = readback->platform->assert_functions->append(readback, list);
    mez_trace_node_end(task->node);
    task->number = mez_queue_last_task(queue);
    if (mez_failed(error))
        mez_traced_drop_task(queue, task, true);
    return error;
}

// --- The check

static bool can_fail(const mez_traced_task *task)
{
    return task->part == MEZ_TRACED_COPIED || task->part == MEZ_TRACED_REPLAYS;
}

// The queue's own tasks up to this one are over. Of those that may have failed an assert that is told when it is known.
static void end_tasks(mez_queue *queue, uint64_t last_task)
{
    const uint64_t now = mez_time_now();
    for (mez_traced_task **link = &queue->traced->tasks; *link;) {
        mez_traced_task *task = *link;
        const bool is_over = !task->elsewhere && task->number <= last_task;
        if (is_over && !can_fail(task)) {
            mez_traced_end_task(queue, link, false);
            continue;
        }
        if (is_over)
            task->seen = now;
        link = &task->next;
    }
}

void mez_traced_fail(mez_queue *queue, uint64_t number)
{
    for (mez_traced_task **link = &queue->traced->tasks; *link;) {
        const mez_traced_task *task = *link;
        if (!task->elsewhere && task->number == number && can_fail(task))
            mez_traced_end_task(queue, link, true);
        else
            link = &(*link)->next;
    }
}

static bool brings_records(const mez_traced_task *task, uint64_t first_task, uint64_t last_task)
{
    const bool brings = task->part == MEZ_TRACED_COPIES || task->part == MEZ_TRACED_REPLAYS;
    return brings && !task->elsewhere && first_task <= task->number && task->number <= last_task;
}

// NULL: no memory, or nobody listens.
static mez_trace_node *enter_check(mez_queue *queue, uint64_t first_task, uint64_t last_task)
{
    if (!mez_trace_nodes_wanted())
        return NULL;
    const mez_traced_task *copy = queue->traced->tasks;
    while (copy && !brings_records(copy, first_task, last_task))
        copy = copy->next;
    mez_trace_node *check = mez_traced_describe_check(queue, copy ? &copy->where : NULL);
    for (; copy; copy = copy->next)
        if (brings_records(copy, first_task, last_task))
            mez_trace_edge(copy->node, check, NULL);
    return check;
}

static void leave_check(mez_trace_node *check)
{
    mez_trace_node_end(check);
    if (check && mez_trace_wanted(MEZ_TRACE_DEVICE, 0)) {
        const mez_trace_execution execution = {
            .submitted = check->submitted,
            .begin = check->submitted,
            .end = mez_time_now(),
            .queue_id = check->queue_id,
        };
        mez_trace_node_ran(check, &execution);
    }
    mez_trace_node_unref(check);
}

void mez_traced_check_records(
    mez_queue *queue, mez_readback *readback, uint64_t first_task, uint64_t last_task)
{
    mez_trace_node *check = enter_check(queue, first_task, last_task);
    end_tasks(queue, last_task);
    mez_trace_node_begin(check);
    readback->platform->assert_functions->look(readback, queue, first_task, last_task);
    leave_check(check);
}

mez_error mez_traced_check_beside(mez_queue *queue)
{
    mez_trace_node *check =
        mez_trace_nodes_wanted() ? mez_traced_describe_check(queue, NULL) : NULL;
    mez_trace_node_begin(check);
    const mez_error error = queue->platform->assert_functions->look_beside(queue);
    leave_check(check);
    return error;
}
