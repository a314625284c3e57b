// SPDX-License-Identifier: MIT

#include "queue/traced.h"

#include <stdio.h>

#include "base/alloc.h"
#include "queue/companion.h"
#include "queue/slow.h"
#include "trace/xpti.h"

static const mez_task_hooks traced_hooks;

// --- Ends

static bool has_failed(const mez_traced_task *task)
{
    return task->timed && mez_event_is_complete(task->timed) && mez_failed(task->timed->outcome);
}

static void notify_end(const mez_queue *queue, const mez_traced_task *task, bool failed)
{
    if (!task->node || !mez_trace_wanted(MEZ_TRACE_DEVICE, 0))
        return;
    const uint64_t end = task->seen ? task->seen : mez_time_now();
    const uint64_t submitted = task->node->submitted ? task->node->submitted : end;
    mez_trace_execution execution = {.submitted = submitted,
        .begin = submitted,
        .end = end,
        .queue_id = queue->traced->id,
        .failed = failed || has_failed(task)};
    if (task->timed && task->timed->sort & MEZ_EVENT_TIMED)
        execution.measured = mez_traced_measure(queue, task->timed, &execution);
    mez_trace_node_ran(task->node, &execution);
}

static void take_out(struct mez_traced *traced, mez_traced_task **link)
{
    mez_traced_task *task = *link;
    *link = task->next;
    if (traced->end == &task->next)
        traced->end = link;
}

static void task_free(mez_traced_task *task)
{
    mez_event_unref(task->timed);
    mez_trace_node_unref(task->node);
    mez_free_memory(task);
}

static bool is_over(const mez_queue *queue, const mez_traced_task *task)
{
    if (task->number == MEZ_NOT_HANDED_OVER)
        return false;
    return task->number <= (task->elsewhere
                                   ? mez_timeline_completed(&mez_companion_of(queue)->timeline)
                                   : queue->completed);
}

// A task is over.
static void end_task(mez_queue *queue, mez_traced_task **link, bool failed)
{
    mez_traced_task *task = *link;
    take_out(queue->traced, link);
    notify_end(queue, task, failed);
    task_free(task);
}

static void look_for_ends(mez_queue *queue)
{
    mez_traced_task **link = &queue->traced->tasks;
    while (*link) {
        const mez_traced_task *task = *link;
        if (is_over(queue, task))
            end_task(queue, link, false);
        else if (task->elsewhere || task->number == MEZ_NOT_HANDED_OVER)
            link = &(*link)->next;
        else
            return; // nor are those behind it, for most
    }
}

// --- The queue

static struct mez_traced *new_traced(mez_queue *queue, uint64_t id)
{
    struct mez_traced *traced = mez_new(struct mez_traced);
    if (!traced)
        return NULL;
    traced->id = id;
    traced->end = &traced->tasks;
    queue->traced = traced;
    queue->hooks = &traced_hooks;
    mez_queue_slow_down(queue, MEZ_SLOW_TRACED);
    return traced;
}

static void describe_queue(const mez_queue *queue, mez_xpti_event *event)
{
    mez_trace_add_unsigned(event, "sycl_context", (uintptr_t)queue->platform->ze);
    mez_trace_add_unsigned(event, "sycl_device", (uintptr_t)queue->device->ze);
    mez_trace_add_text(event, "sycl_device_name", queue->device->info.name);
    mez_trace_add_boolean(event, "is_inorder", queue->in_order);
    mez_trace_add_unsigned(event, "queue_id", queue->traced->id);
    mez_trace_add_unsigned(event, "queue_handle", (uintptr_t)queue);
    mez_trace_add_text(event, "debug_name", queue->name);
}

static void notify_queue(const struct mez_traced *traced, uint16_t point, const char *what)
{
    if (traced->event)
        mez_trace_notify(mez_trace_tasks_stream(), point, traced->event, traced->instance, what);
}

void mez_traced_open(mez_queue *queue, const mez_location *where)
{
    static atomic_uint_fast64_t queues;
    struct mez_traced *traced = new_traced(queue, atomic_fetch_add(&queues, 1) + 1);
    if (!traced)
        return;
    traced->event = mez_trace_make_event("queue_create", where, &traced->instance);
    if (!traced->event)
        return;
    describe_queue(queue, traced->event);
    notify_queue(traced, MEZ_XPTI_QUEUE_CREATE, "queue_create");
}

void mez_traced_leave_companion(mez_queue *queue)
{
    mez_lock_take(&queue->lock);
    look_for_ends(queue);
    for (mez_traced_task **link = &queue->traced->tasks; *link;) {
        if ((*link)->elsewhere)
            end_task(queue, link, true);
        else
            link = &(*link)->next;
    }
    mez_lock_release(&queue->lock);
}

static void traced_free(struct mez_traced *traced)
{
    if (traced->event)
        xptiReleaseEvent(traced->event);
    mez_trace_node_unref(traced->newest);
    mez_trace_node_unref(traced->barrier);
    mez_free_memory(traced);
}

void mez_traced_close(mez_queue *queue)
{
    struct mez_traced *traced = queue->traced;
    mez_lock_take(&queue->lock);
    look_for_ends(queue);
    while (traced->tasks)
        end_task(queue, &traced->tasks, true);
    notify_queue(traced, MEZ_XPTI_QUEUE_DESTROY, "queue_destroy");
    queue->hooks = &queue->platform->assert_functions->hooks;
    queue->traced = NULL;
    mez_lock_release(&queue->lock);
    traced_free(traced);
}

// --- A task enters

bool mez_traced_needs_event(const mez_queue *queue, const mez_command *command)
{
    if (!(queue->event_sort & MEZ_EVENT_TIMED) || queue->discard_events)
        return false;
    return command->kind == MEZ_COMMAND_KERNEL || command->kind == MEZ_COMMAND_COPY ||
           command->kind == MEZ_COMMAND_FILL || command->kind == MEZ_COMMAND_COPY_2D ||
           command->kind == MEZ_COMMAND_COPY_3D || command->kind == MEZ_COMMAND_REPLAY;
}

// Does it come behind all that the queue has?
static bool is_barrier(const mez_queue *queue, const mez_command *command)
{
    if (queue->in_order)
        return false;
    return command->kind == MEZ_COMMAND_NOTHING ||
           (command->kind == MEZ_COMMAND_HOST && command->host.after_all);
}

static void replace(mez_trace_node **kept, mez_trace_node *node)
{
    mez_trace_node_ref(node);
    mez_trace_node_unref(*kept);
    *kept = node;
}

// Not from what copies records, which nobody waits for.
static void add_edges_from_all(const struct mez_traced *traced, const mez_trace_node *node)
{
    for (const mez_traced_task *task = traced->tasks; task; task = task->next)
        if (task->part != MEZ_TRACED_COPIES)
            mez_trace_edge(task->node, node, NULL);
}

// By the queue's order. A barrier with events to wait for waits for those alone.
static void add_order(
    mez_queue *queue, const mez_command *command, mez_trace_node *node, size_t wait_count)
{
    struct mez_traced *traced = queue->traced;
    if (queue->in_order) {
        mez_trace_edge(traced->newest, node, NULL);
        replace(&traced->newest, node);
        return;
    }
    const bool barrier = is_barrier(queue, command);
    if (barrier && wait_count == 0)
        add_edges_from_all(traced, node);
    else
        mez_trace_edge(traced->barrier, node, NULL);
    if (barrier && command->kind == MEZ_COMMAND_NOTHING)
        replace(&traced->barrier, node);
}

// An event that no queue of ours signals gets a node of its own.
static mez_trace_node *node_of(mez_event *event)
{
    char name[40];
    if (event->node || !event->borrowed)
        return event->node;
    snprintf(name, sizeof name, "virtual_node[%p]", (void *)event->ze);
    event->node = mez_trace_node_create(name, NULL, 0);
    mez_trace_node_notify(event->node, "virtual_node");
    return event->node;
}

static void add_waits(const mez_queue *queue, const mez_trace_node *before,
    const mez_trace_node *node, mez_event *const *wait_for, size_t wait_count)
{
    for (size_t i = 0; i < wait_count; i++) {
        const mez_trace_node *from = node_of(wait_for[i]);
        if (!queue->in_order || from != before)
            mez_trace_edge(from, node, wait_for[i]->ze);
    }
}

// For tasks of ours: adds one whose end is looked for as that of others. It owns the node. NULL: no memory.
static mez_traced_task *add_task(mez_queue *queue, mez_trace_node *node)
{
    struct mez_traced *traced = queue->traced;
    mez_traced_task *task = mez_new(mez_traced_task);
    if (!task) {
        mez_trace_node_unref(node);
        return NULL;
    }
    task->node = node;
    task->number = MEZ_NOT_HANDED_OVER;
    *traced->end = task;
    traced->end = &task->next;
    return task;
}

void mez_traced_enter(mez_queue *queue, mez_command *command, mez_event *signalled,
    mez_event *const *wait_for, size_t wait_count)
{
    struct mez_traced *traced = queue->traced;
    look_for_ends(queue);
    if (!mez_trace_nodes_wanted()) { // what follows has no node before it
        mez_trace_node_drop(&traced->newest);
        mez_trace_node_drop(&traced->barrier);
        return;
    }
    mez_trace_node *node = mez_traced_describe(queue, command);
    add_waits(queue, traced->newest, node, wait_for, wait_count);
    add_order(queue, command, node, wait_count);
    if (signalled)
        replace(&signalled->node, node);
    mez_traced_task *task = add_task(queue, node);
    if (!task)
        return;
    if (signalled)
        mez_event_ref(task->timed = signalled);
    if (command->where)
        task->where = *command->where;
    command->traced = task;
}

// --- And is handed over

static mez_traced_part part_of(const mez_command *command)
{
    if (command->kind == MEZ_COMMAND_REPLAY)
        return mez_readback_can_fail(&command->replay->readback) ? MEZ_TRACED_BRINGS
                                                                 : MEZ_TRACED_PLAIN;
    const mez_module *module = mez_command_asserting_module(command);
    if (module && command->launch.use->posts)
        return MEZ_TRACED_BRINGS;
    return module && module->assert_record ? MEZ_TRACED_ASSERTS : MEZ_TRACED_PLAIN;
}

void mez_traced_begin(const mez_command *command)
{
    if (!command->traced)
        return;
    command->traced->part = part_of(command);
    mez_trace_node_begin(command->traced->node);
}

static void drop_task(mez_queue *queue, const mez_traced_task *task, bool failed)
{
    mez_traced_task **link = &queue->traced->tasks;
    while (*link && *link != task)
        link = &(*link)->next;
    if (*link)
        end_task(queue, link, failed);
}

void mez_traced_end(mez_queue *queue, const mez_command *command, mez_error outcome)
{
    mez_traced_task *task = command->traced;
    if (!task)
        return;
    if (!mez_failed(outcome) && task->timed)
        mez_trace_node_signal(task->node, task->timed->ze);
    mez_trace_node_end(task->node);
    task->elsewhere = command->elsewhere;
    task->number = mez_queue_last_task(task->elsewhere ? mez_companion_of(queue) : queue);
    if (mez_failed(outcome))
        drop_task(queue, task, true);
}

void mez_traced_host_end(mez_queue *queue, const mez_command *command, mez_error outcome)
{
    if (!command->traced)
        return;
    mez_trace_node_end(command->traced->node);
    drop_task(queue, command->traced, mez_failed(outcome));
}

void mez_traced_drop(mez_queue *queue, const mez_command *command, mez_error outcome)
{
    if (command->traced)
        drop_task(queue, command->traced, mez_failed(outcome));
}

// --- Commands of ours in the graph: what copies the records of asserts to the host, and the look at them there. Each is a node of its own:
// the copy with edges from the tasks whose records it brings, the look with edges from what brought them: copies, recorded lists, and
// tasks that have posted by themselves. Nothing else waits for either.

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
    mez_traced_task *task = add_task(queue, node);
    if (!task)
        return NULL;
    task->part = MEZ_TRACED_COPIES;
    task->where = where;
    return task;
}

static mez_error copy_records(
    mez_readback *readback, mez_queue *queue, ze_command_list_handle_t list)
{
    mez_traced_task *task = enter_copy(queue, readback);
    if (!task)
        return readback->platform->assert_functions->hooks.append(readback, queue, list);
    mez_trace_node_begin(task->node);
    const mez_error error =
        readback->platform->assert_functions->hooks.append(readback, queue, list);
    mez_trace_node_end(task->node);
    task->number = mez_queue_last_task(queue);
    if (mez_failed(error))
        drop_task(queue, task, true);
    return error;
}

// --- Reading records of asserts

static bool can_fail(const mez_traced_task *task)
{
    return task->part == MEZ_TRACED_COPIED || task->part == MEZ_TRACED_BRINGS;
}

// The queue's own tasks up to this one are over. Those that may have failed an assert are reported when that is known.
static void end_tasks(mez_queue *queue, uint64_t last_task)
{
    const uint64_t now = mez_time_now();
    for (mez_traced_task **link = &queue->traced->tasks; *link;) {
        mez_traced_task *task = *link;
        const bool is_over = !task->elsewhere && task->number <= last_task;
        if (is_over && !can_fail(task)) {
            end_task(queue, link, false);
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
            end_task(queue, link, true);
        else
            link = &(*link)->next;
    }
}

static bool brings_records(const mez_traced_task *task, uint64_t first_task, uint64_t last_task)
{
    const bool brings = task->part == MEZ_TRACED_COPIES || task->part == MEZ_TRACED_BRINGS;
    return brings && !task->elsewhere && first_task <= task->number && task->number <= last_task;
}

// NULL: no memory, or nobody listens.
static mez_trace_node *enter_reading(mez_queue *queue, uint64_t first_task, uint64_t last_task)
{
    if (!mez_trace_nodes_wanted())
        return NULL;
    const mez_traced_task *copy = queue->traced->tasks;
    while (copy && !brings_records(copy, first_task, last_task))
        copy = copy->next;
    mez_trace_node *reading = mez_traced_describe_reading(queue, copy ? &copy->where : NULL);
    for (; copy; copy = copy->next)
        if (brings_records(copy, first_task, last_task))
            mez_trace_edge(copy->node, reading, NULL);
    return reading;
}

static void leave_reading(mez_trace_node *reading)
{
    mez_trace_node_end(reading);
    if (reading && mez_trace_wanted(MEZ_TRACE_DEVICE, 0)) {
        const mez_trace_execution execution = {
            .submitted = reading->submitted,
            .begin = reading->submitted,
            .end = mez_time_now(),
            .queue_id = reading->queue_id,
        };
        mez_trace_node_ran(reading, &execution);
    }
    mez_trace_node_unref(reading);
}

static void read_records(
    mez_readback *readback, mez_queue *queue, uint64_t first_task, uint64_t last_task)
{
    mez_trace_node *reading = enter_reading(queue, first_task, last_task);
    end_tasks(queue, last_task);
    mez_trace_node_begin(reading);
    readback->platform->assert_functions->hooks.look(readback, queue, first_task, last_task);
    leave_reading(reading);
}

// Beside tasks that do not end: a node that waits for nothing.
static mez_error read_beside(mez_queue *queue)
{
    mez_trace_node *reading =
        mez_trace_nodes_wanted() ? mez_traced_describe_reading(queue, NULL) : NULL;
    mez_trace_node_begin(reading);
    const mez_error error = queue->platform->assert_functions->hooks.look_beside(queue);
    leave_reading(reading);
    return error;
}

static const mez_task_hooks traced_hooks = {
    .append = copy_records,
    .look = read_records,
    .look_beside = read_beside,
    .ended = look_for_ends,
};
