// SPDX-License-Identifier: MIT
//
// What is the same for every task: the events it waits for, and the event that somebody asked for.

#include "base/alloc.h"
#include "kernel/arguments.h"
#include "queue/completion.h"

#define FEW_EVENTS 16

static mez_error source_flush(void *owner, uint64_t task)
{
    mez_queue *queue = owner;
    if (!queue->ops->flush)
        return mez_ok();
    mez_lock_take(&queue->lock);
    const mez_error error = queue->ops->flush(queue, task);
    mez_lock_release(&queue->lock);
    return error;
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

static bool is_released(const void *event)
{
    return !mez_event_is_held(event);
}

static mez_error source_released(void *owner, const mez_event *event, mez_deadline deadline)
{
    mez_queue *queue = owner;
    return mez_completion_wait(queue->platform->completion, is_released, event, deadline);
}

static const mez_event_source queue_source = {
    .flush = source_flush,
    .finished = source_finished,
    .released = source_released,
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

// An in-order queue has no need to wait for itself, nor anybody for what is over.
static bool must_wait(const mez_queue *queue, const mez_event *event)
{
    const bool own = event->owner == queue && queue->in_order;
    return !own && !mez_event_is_complete(event);
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

// Fills the task's list with the events that matter, and hands their tasks to the device: otherwise we would wait for a batch
// that nobody submits.
static mez_error collect(mez_queue *queue, mez_event *const *events, size_t event_count,
    mez_event **wait, mez_task *task)
{
    task->wait_count = 0;
    for (size_t i = 0; i < event_count; i++) {
        mez_event *event = events[i];
        // Looked at first: a host task that is not held any more is complete, and the driver must not wait for its event.
        const bool held = mez_event_is_held(event);
        // Of this queue's own tasks the driver has those before a batch with the waiting one. A failure shows in the event, and
        // its own queue keeps it.
        if (must_wait(queue, event) && event->owner != queue && !held)
            event->source->flush(event->owner, event->task);
        MEZ_TRY(check_not_lost(event, i));
        if (!must_wait(queue, event))
            continue;
        wait[task->wait_count++] = event;
        task->waits_for_held |= held;
    }
    return mez_ok();
}

// The caller holds the lock; it is let go meanwhile.
static mez_error wait_without_lock(mez_queue *queue, uint64_t task)
{
    mez_lock_release(&queue->lock);
    const mez_error error = queue->ops->wait(queue, task, MEZ_NEVER);
    mez_lock_take(&queue->lock);
    return error;
}

static mez_error make_room(mez_queue *queue)
{
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
    *use = mez_uses_look_up(&queue->uses, command->launch.kernel);
    if (__builtin_expect(*use != NULL, 1))
        return mez_ok();
    mez_lock_release(&queue->lock);
    mez_error error =
        mez_arguments_check(command->launch.kernel, command->launch.args, &queue->device->info);
    if (!mez_failed(error)) // wrong arguments are no reason to compile
        error = mez_uses_find(&queue->uses, command->launch.kernel, queue->device, use);
    mez_lock_take(&queue->lock);
    if (!mez_failed(error))
        mez_uses_show(&queue->uses, *use);
    return error;
}

static void note(mez_queue *queue, const mez_task *task)
{
    const uint64_t number = mez_queue_last_task(queue);
    if (task->command->kind == MEZ_COMMAND_KERNEL)
        mez_uses_note(&queue->uses, task->command->launch.use, number);
    else if (task->command->kind == MEZ_COMMAND_NOTHING && !queue->in_order)
        queue->barrier = number;
    if (task->event) {
        task->event->task = number;
        mez_kept_add(&queue->kept, number, task->event, true);
    }
    for (uint32_t i = 0; i < task->wait_count; i++)
        mez_kept_add(&queue->kept, number, task->wait[i], false);
}

// Room for the task's events. The caller holds the lock.
static mez_error make_room_to_keep(mez_queue *queue, const mez_task *task)
{
    const uint32_t events = task->wait_count + 1;
    if (mez_kept_has_room(&queue->kept, events))
        return mez_ok();
    if (queue->ops->catch_up)
        queue->ops->catch_up(queue);
    return mez_kept_reserve(&queue->kept, events);
}

// The caller holds the lock.
static mez_error append(mez_queue *queue, const mez_task *task)
{
    if (task->event || task->wait_count > 0)
        MEZ_TRY(make_room_to_keep(queue, task));
    MEZ_TRY(queue->ops->append(queue, task));
    note(queue, task);
    return queue->ops->appended ? queue->ops->appended(queue) : mez_ok();
}

// The caller holds the lock.
static mez_error make_ready(mez_queue *queue, mez_command *command)
{
    MEZ_TRY(find_use(queue, command));
    MEZ_TRY(make_room(queue)); // last, as it may let the lock go
    return mez_command_prepare(command, queue->device);
}

// The caller holds the lock.
static mez_error append_or_hold(mez_queue *queue, mez_command *command, const mez_task *task)
{
    MEZ_TRY(make_ready(queue, command));
    return mez_queue_must_hold(queue, task) ? mez_queue_hold(queue, task) : append(queue, task);
}

static mez_error submit_locked(mez_queue *queue, mez_command *command, const mez_task *task)
{
    mez_lock_take(&queue->lock);
    mez_queue_take_up_seen(queue);
    const mez_error error = append_or_hold(queue, command, task);
    mez_lock_release(&queue->lock);
    return error;
}

// The caller holds the lock.
static bool append_again(mez_queue *queue, const mez_kernel *kernel, const mez_range *range,
    const mez_args *args, mez_error *error)
{
    const ze_command_list_handle_t list = mez_queue_in_order_list(queue);
    mez_kernel_use *use = mez_uses_look_up(&queue->uses, kernel);
    if (!list || !use || use->asserting_module || !mez_kernel_use_is_same(use, range, args))
        return false;
    *error =
        ZE(zeCommandListAppendLaunchKernel, list, use->ze, &use->plan.group_count, NULL, 0, NULL);
    if (!mez_failed(*error))
        mez_uses_note(&queue->uses, use, mez_queue_count_task(queue));
    return true;
}

bool mez_queue_launch_again(mez_queue *queue, const mez_kernel *kernel, const mez_range *range,
    const mez_args *args, mez_error *error)
{
    if (!queue || !mez_queue_in_order_list(queue) || !kernel || !range)
        return false;
    mez_lock_take(&queue->lock);
    mez_queue_take_up_seen(queue);
    const bool done = append_again(queue, kernel, range, args, error);
    mez_lock_release(&queue->lock);
    return done;
}

static mez_error submit_with_event(
    mez_queue *queue, mez_command *command, mez_task *task, mez_event **asked)
{
    if (!asked)
        return submit_locked(queue, command, task);
    MEZ_TRY(mez_event_create(queue->platform, queue->profiling, &task->event));
    mez_event *event = task->event;
    event->source = &queue_source;
    event->owner = queue;
    event->device = queue->device;
    event->of_host = command->kind == MEZ_COMMAND_HOST;
    mez_queue_ref(queue);
    const mez_error error = submit_locked(queue, command, task);
    if (mez_failed(error))
        mez_event_unref(event);
    else
        *asked = event;
    return error;
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

static mez_error submit_waiting(
    mez_queue *queue, mez_command *command, const mez_task_params *params)
{
    wait_list list;
    mez_task task = {.command = command};
    MEZ_TRY(check_wait_list(queue, params));
    mez_error error = wait_list_fill(&list, queue, params->wait_for, params->wait_count, &task);
    if (!mez_failed(error))
        error = submit_with_event(queue, command, &task, params->event);
    wait_list_finish(&list);
    return error;
}

mez_error mez_queue_submit_task(
    mez_queue *queue, mez_command *command, const mez_task_params *params)
{
    mez_task task = {.command = command};
    if (!params)
        return submit_locked(queue, command, &task);
    if (params->wait_count == 0)
        return submit_with_event(queue, command, &task, params->event);
    return submit_waiting(queue, command, params);
}

void mez_queue_submit_released(mez_queue *queue, mez_command *command, mez_task *task,
    struct mez_held_task *held, mez_released_function *let_go)
{
    wait_list list;
    mez_error error = wait_list_fill(&list, queue, task->wait, task->wait_count, task);
    mez_lock_take(&queue->lock);
    mez_queue_take_up_seen(queue);
    if (!mez_failed(error))
        error = make_ready(queue, command);
    if (!mez_failed(error))
        error = append(queue, task);
    let_go(queue, held, error);
    mez_lock_release(&queue->lock);
    wait_list_finish(&list);
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
