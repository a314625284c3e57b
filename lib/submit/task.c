// SPDX-License-Identifier: MIT
//
// What is the same for every task: the events it waits for, and the event that somebody asked for.

#include "base/alloc.h"
#include "device/platform.h"
#include "kernel/use.h"
#include "queue/companion.h"
#include "queue/slow.h"
#include "queue/quick_path.h"
#include "queue/stall.h"
#include "queue/probes.h"
#include "queue/traced.h"
#include "task/params.h"

#define FEW_EVENTS 16
// Lent by one queue at the same time: some have happened, and nobody has asked.
#define MANY_EVENTS 448

static mez_error check_wait_list(mez_queue *queue, const mez_task_params *params)
{
    if (params->wait_count > 0 && !params->wait_for)
        return mez_error_make(
            MEZ_ERRC_EVENT, "%zu events to wait for, but no list", params->wait_count);
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

// An in-order queue has no need to wait for itself, nor anybody for what is over.
static bool must_wait(const mez_queue *queue, const mez_event *event)
{
    const bool own = event->owner == queue && queue->in_order;
    return !own && !mez_event_is_complete(event);
}

// The driver never signals the event of a task that was lost.
static mez_error check_not_lost(const mez_event *event, size_t index)
{
    if (!mez_event_is_complete(event) || !mez_failed(event->outcome) ||
        mez_error_is(event->outcome, MEZ_ERRC_ASSERT)) // has run to its end
        return mez_ok();
    const mez_error error = mez_error_make(MEZ_ERRC_EVENT, "event %zu to wait for %s", index,
        mez_event_is_of_task(event) ? "will never happen: its task failed" : "has failed");
    return mez_event_add_cause(error, event);
}

// Fills the task's list with the events that matter, and hands their tasks to the device: otherwise we would wait for a batch
// that nobody submits.
static mez_error collect(mez_queue *queue, mez_event *const *events, size_t event_count,
    mez_event **wait, mez_task *task)
{
    task->wait_count = 0;
    for (size_t i = 0; i < event_count; i++) {
        mez_event *event = events[i];
        // Looked at first: a host task that is not deferred any more is complete, and the driver must not wait for its event.
        const bool deferred = mez_event_is_deferred(event);
        // Of this queue's own tasks the driver has those before a batch with the waiting one. A failure shows in the event, and
        // its own queue keeps it.
        if (must_wait(queue, event) && event->owner != queue && !deferred)
            event->source->flush(event->owner, event->task);
        MEZ_TRY(check_not_lost(event, i));
        if (!must_wait(queue, event))
            continue;
        wait[task->wait_count++] = event;
        task->waits_for_deferred |= deferred;
    }
    return mez_ok();
}

// The companion's task that must have finished before it takes another; 0: none.
static uint64_t crowded_companion(mez_queue *companion)
{
    if (!companion->ops->crowded)
        return 0;
    mez_lock_take(&companion->lock);
    const uint64_t task = companion->ops->crowded(companion);
    mez_lock_release(&companion->lock);
    return task;
}

static mez_error wait_without_lock(mez_queue *queue, uint64_t task)
{
    mez_lock_release(&queue->lock);
    const mez_error error = mez_queue_wait_for_task(queue, task, MEZ_NEVER);
    mez_lock_take(&queue->lock);
    return error;
}

static mez_error make_room_in_companion(mez_queue *queue)
{
    mez_queue *companion = mez_companion_of(queue);
    for (uint64_t task; (task = crowded_companion(companion));) {
        mez_lock_release(&queue->lock);
        const mez_error error = mez_queue_wait_for_task(companion, task, MEZ_NEVER);
        mez_lock_take(&queue->lock);
        MEZ_TRY(error);
    }
    return mez_ok();
}

// Queue and companion, where the command concerns it, take another task then. The caller holds the lock, which is let go in waits.
static mez_error make_room(mez_queue *queue, const mez_command *command)
{
    if (__builtin_expect(mez_companion_concerns(queue, command), 0))
        MEZ_TRY(make_room_in_companion(queue));
    for (uint64_t task; queue->ops->crowded && (task = queue->ops->crowded(queue));)
        MEZ_TRY(wait_without_lock(queue, task));
    return mez_ok();
}

// The kernel as this queue uses it. The first time, the lock is let go while the driver compiles.
static mez_error find_use(mez_queue *queue, mez_command *command)
{
    if (command->kind != MEZ_COMMAND_KERNEL)
        return mez_ok();
    mez_kernel_use **use = &command->launch.use;
    if (*use)
        return mez_ok();
    bool same;
    *use = mez_used_kernels_take(&queue->kernels, command->launch.kernel, command->launch.range,
        command->launch.args, &same);
    if (__builtin_expect(*use != NULL, 1))
        return mez_ok();
    mez_lock_release(&queue->lock);
    mez_error error = mez_arguments_check_early(
        command->launch.kernel, command->launch.args, &queue->device->info);
    if (!mez_failed(error)) // with wrong arguments nothing is compiled
        error = mez_used_kernels_find(&queue->kernels, command->launch.kernel, queue->device, use);
    mez_lock_take(&queue->lock);
    if (!mez_failed(error))
        mez_used_kernels_show(&queue->kernels, *use);
    return error;
}

// Its pointers have been checked when it was deferred. What was freed since is kept for it.
__attribute__((noinline)) static mez_error prepare_released(
    mez_queue *queue, const mez_command *command)
{
    if (command->kind != MEZ_COMMAND_KERNEL)
        return mez_ok();
    command->launch.use->takes_all = true;
    const mez_error error = mez_command_prepare(command, queue->device);
    command->launch.use->takes_all = false;
    return error;
}

// `released`: it was deferred. The caller holds the lock.
static mez_error make_ready(mez_queue *queue, mez_command *command, bool released)
{
    MEZ_TRY(find_use(queue, command));
    MEZ_TRY(make_room(queue, command)); // last, as it may let the lock go
    if (mez_command_is_prepared(command))
        return mez_ok();
    MEZ_TRY(mez_queue_before_setting(queue));
    return __builtin_expect(released, 0) ? prepare_released(queue, command)
                                         : mez_command_prepare(command, queue->device);
}

static inline mez_queue *queue_that_runs(mez_queue *queue, const mez_command *command)
{
    return command->elsewhere ? mez_companion_of(queue) : queue;
}

// Neither the driver nor the library has it.
__attribute__((cold)) static mez_error give_up(
    mez_queue *queue, const mez_task *task, mez_error error)
{
    if (MEZ_TRACED(queue->traced))
        mez_traced_drop(queue, task->command, error);
    mez_event_unref(task->event);
    return error;
}

static mez_error take_event(mez_queue *queue, mez_event_cache *cache, mez_event **event)
{
    mez_error error = mez_ok();
    mez_lock_take(&queue->lock);
    if (mez_event_cache_lent(cache) >= MANY_EVENTS && queue->ops->catch_up)
        queue->ops->catch_up(queue);
    while (!mez_failed(error) && !mez_event_cache_collect(cache)) {
        mez_lock_release(&queue->lock);
        error = mez_event_cache_fill(cache);
        mez_lock_take(&queue->lock);
    }
    if (!mez_failed(error))
        *event = mez_event_cache_take_ready(cache);
    mez_lock_release(&queue->lock);
    return error;
}

// The event that the task asks for, or whoever traces it, with a reference for the user and one for the task; NULL: none.
static mez_error find_event(
    mez_queue *queue, const mez_command *command, const mez_task_params *params, mez_event **event)
{
    const bool asked = params && params->event && !queue->discard_events;
    if (!asked && !(MEZ_TRACED(queue->traced) && mez_traced_needs_event(queue, command)))
        return mez_ok();
    mez_queue *runs_it = queue_that_runs(queue, command);
    MEZ_TRY(take_event(runs_it, asked ? mez_fast_cache(runs_it, params) : &runs_it->events, event));
    (*event)->of_host = command->kind == MEZ_COMMAND_HOST;
    return mez_ok();
}

bool mez_fast_find_events(mez_queue *queue, mez_event_cache *cache)
{
    mez_queue_take_up_seen(queue);
    return mez_event_cache_collect(cache);
}

void mez_fast_failed(const mez_task_params *task, mez_event *event)
{
    if (task && task->event)
        *task->event = NULL;
    if (!event)
        return;
    mez_event_unref(event); // the task's reference
    mez_event_unref(event); // and the user's
}

// Lists for one task: on the stack for as many events as anybody waits for.
typedef struct wait_list {
    mez_event *few[FEW_EVENTS];
    ze_event_handle_t ze_few[FEW_EVENTS];
    mez_event **events;
    ze_event_handle_t *ze;
} wait_list;

static mez_error wait_list_init(wait_list *list, size_t count)
{
    list->events = list->few;
    list->ze = list->ze_few;
    if (count <= FEW_EVENTS)
        return mez_ok();
    list->events = mez_alloc_array(count, sizeof *list->events);
    list->ze = mez_alloc_array(count, sizeof *list->ze);
    return list->events && list->ze ? mez_ok() : mez_error_no_memory("a list of events");
}

static void wait_list_finish(wait_list *list)
{
    if (list->events == list->few)
        return;
    mez_free_memory(list->events);
    mez_free_memory(list->ze);
}

// Fills the task's list with the events of `events` that matter.
static mez_error wait_list_fill(
    wait_list *list, mez_queue *queue, mez_event *const *events, size_t count, mez_task *task)
{
    MEZ_TRY(wait_list_init(list, count));
    MEZ_TRY(collect(queue, events, count, list->events, task));
    for (uint32_t i = 0; i < task->wait_count; i++)
        list->ze[i] = list->events[i]->ze;
    task->wait = list->events;
    task->ze_wait = task->wait_count > 0 ? list->ze : NULL;
    return mez_ok();
}

// Not inlined: rare.
__attribute__((noinline)) static mez_error find_waits(
    wait_list *list, mez_queue *queue, const mez_task_params *params, mez_task *task)
{
    MEZ_TRY(check_wait_list(queue, params));
    mez_probe_edges(queue, params);
    return wait_list_fill(list, queue, params->wait_for, params->wait_count, task);
}

static mez_error defer(mez_queue *queue, const mez_task *task)
{
    const mez_error error = mez_queue_defer(queue, task);
    return mez_failed(error) ? give_up(queue, task, error) : error;
}

// The driver gets the task, from the queue or from its companion.
static inline mez_error append_to_driver(mez_queue *queue, const mez_task *task)
{
    const mez_command *command = task->command;
    mez_probe_task_begin(queue_that_runs(queue, command), command->kind);
    const mez_error error = __builtin_expect(mez_companion_concerns(queue, command), 0)
                                ? mez_companion_append(queue, task)
                                : mez_queue_append_now(queue, task);
    mez_probe_task_end(queue_that_runs(queue, command), task->event, error,
        mez_queue_last_task(queue_that_runs(queue, command)));
    return error;
}

__attribute__((cold, noinline)) static mez_error append_or_defer_traced(
    mez_queue *queue, const mez_task *task, const mez_task_params *params)
{
    if (!task->released)
        mez_traced_enter(queue, task->command, task->event, params ? params->wait_for : NULL,
            params ? params->wait_count : 0);
    if (mez_queue_must_defer(queue, task))
        return defer(queue, task);
    mez_traced_begin(task->command);
    const mez_error error = append_to_driver(queue, task);
    mez_traced_end(queue, task->command, error);
    return error;
}

// The driver gets the task, unless it has to be deferred. The caller holds the lock. Takes over the task's reference to its event.
// It asks only once whether tools listen, since this is part of every task that no quick path takes.
static mez_error append_or_defer(
    mez_queue *queue, const mez_task *task, const mez_task_params *params)
{
    mez_queue_take_up_seen(queue);
    const mez_error error = make_ready(queue, task->command, task->released);
    if (mez_failed(error))
        return give_up(queue, task, error);
    if (MEZ_TRACED(queue->traced))
        return append_or_defer_traced(queue, task, params);
    return mez_queue_must_defer(queue, task) ? defer(queue, task) : append_to_driver(queue, task);
}

mez_error mez_queue_submit_task(
    mez_queue *queue, mez_command *command, const mez_task_params *params)
{
    const bool waits = params && params->wait_count > 0;
    wait_list list;
    list.events = list.few;
    mez_task task = {.command = command};
    MEZ_TRY(mez_platform_loss(queue->platform));
    MEZ_TRY(mez_queue_why_abandoned(queue));
    mez_probe_node(queue, command->kind,
        command->kind == MEZ_COMMAND_KERNEL ? command->launch.kernel : NULL, command->where);
    if (params) {
        MEZ_TRY(mez_task_check_reserved(params));
        command->debug_name = params->debug_name;
    }
    mez_error error = waits ? find_waits(&list, queue, params, &task) : mez_ok();
    if (!mez_failed(error))
        error = find_event(queue, command, params, &task.event);
    if (!mez_failed(error)) {
        mez_lock_take(&queue->lock);
        error = append_or_defer(queue, &task, params);
        mez_lock_release(&queue->lock);
        if (!mez_failed(error) && params && params->event)
            *params->event = task.event;
        else if (task.event)
            mez_event_unref(task.event);
    }
    if (waits)
        wait_list_finish(&list);
    return error;
}

void mez_queue_submit_deferred(mez_queue *queue, mez_task *task)
{
    wait_list list;
    // Not a copy of all: its place in the queue's list changes under the lock.
    mez_task now = {.command = task->command, .event = task->event, .released = true};
    mez_error error = wait_list_fill(&list, queue, task->wait, task->wait_count, &now);
    if (now.event)
        mez_event_ref(now.event); // the deferred task has one of its own
    mez_lock_take(&queue->lock);
    error = mez_failed(error) ? give_up(queue, &now, error) : append_or_defer(queue, &now, NULL);
    mez_queue_let_go_deferred(queue, task, error);
    mez_lock_release(&queue->lock);
    wait_list_finish(&list);
}

mez_error mez_queue_add_facts(
    mez_error error, const mez_location *where, mez_queue *queue, const mez_task_params *task)
{
    if (!mez_failed(error))
        return error;
    error = mez_queue_add_task_facts(error, where, queue, task ? task->debug_name : NULL);
    return mez_queue_note_loss(queue, error);
}

mez_error mez_queue_add_launch_facts(mez_error error, const mez_location *where, mez_queue *queue,
    const mez_kernel *kernel, const mez_task_params *task)
{
    error = mez_error_add(error, "kernel", "\"%s\"", mez_kernel_get_name(kernel));
    return mez_queue_add_facts(error, where, queue, task);
}
