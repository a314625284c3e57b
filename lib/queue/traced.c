// SPDX-License-Identifier: MIT

#include "queue/traced.h"

#include <stdio.h>

#include "base/alloc.h"
#include "queue/companion.h"
#include "queue/slow.h"
#include "trace/event.h"
#include "trace/streams.h"

// --- Ends

static bool has_failed(const mez_traced_task *task)
{
    return task->timed && mez_event_is_complete(task->timed) && mez_failed(task->timed->outcome);
}

static void tell_end(const mez_queue *queue, const mez_traced_task *task, bool failed)
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

void mez_traced_end_task(mez_queue *queue, mez_traced_task **link, bool failed)
{
    mez_traced_task *task = *link;
    take_out(queue->traced, link);
    tell_end(queue, task, failed);
    task_free(task);
}

void mez_traced_look(mez_queue *queue)
{
    mez_traced_task **link = &queue->traced->tasks;
    while (*link) {
        const mez_traced_task *task = *link;
        if (is_over(queue, task))
            mez_traced_end_task(queue, link, false);
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

static void tell_queue(const struct mez_traced *traced, uint16_t point, const char *what)
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
    tell_queue(traced, MEZ_XPTI_QUEUE_CREATE, "queue_create");
}

void mez_traced_leave_companion(mez_queue *queue)
{
    mez_lock_take(&queue->lock);
    mez_traced_look(queue);
    for (mez_traced_task **link = &queue->traced->tasks; *link;) {
        if ((*link)->elsewhere)
            mez_traced_end_task(queue, link, true);
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
    mez_traced_look(queue);
    while (traced->tasks)
        mez_traced_end_task(queue, &traced->tasks, true);
    tell_queue(traced, MEZ_XPTI_QUEUE_DESTROY, "queue_destroy");
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

// But for what copies records, which nobody waits for.
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
    mez_trace_node_tell(event->node, "virtual_node");
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

mez_traced_task *mez_traced_add(mez_queue *queue, mez_trace_node *node)
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
    mez_traced_look(queue);
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
    mez_traced_task *task = mez_traced_add(queue, node);
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
        return command->replay->readback.module_count > 0 ? MEZ_TRACED_REPLAYS : MEZ_TRACED_PLAIN;
    const mez_module *module = mez_command_asserting_module(command);
    return module && module->assert_record ? MEZ_TRACED_ASSERTS : MEZ_TRACED_PLAIN;
}

void mez_traced_begin(const mez_command *command)
{
    if (!command->traced)
        return;
    command->traced->part = part_of(command);
    mez_trace_node_begin(command->traced->node);
}

void mez_traced_drop_task(mez_queue *queue, const mez_traced_task *task, bool failed)
{
    mez_traced_task **link = &queue->traced->tasks;
    while (*link && *link != task)
        link = &(*link)->next;
    if (*link)
        mez_traced_end_task(queue, link, failed);
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
        mez_traced_drop_task(queue, task, true);
}

void mez_traced_host_end(mez_queue *queue, const mez_command *command, mez_error outcome)
{
    if (!command->traced)
        return;
    mez_trace_node_end(command->traced->node);
    mez_traced_drop_task(queue, command->traced, mez_failed(outcome));
}

void mez_traced_drop(mez_queue *queue, const mez_command *command, mez_error outcome)
{
    if (command->traced)
        mez_traced_drop_task(queue, command->traced, mez_failed(outcome));
}
