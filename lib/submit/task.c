// SPDX-License-Identifier: MIT
//
// What is the same for every task: the events it waits for, and the event that somebody asked for.

#include "base/alloc.h"
#include "device/lost.h"
#include "kernel/arguments.h"
#include "queue/companion.h"
#include "queue/completion.h"
#include "queue/abandon.h"
#include "queue/handler.h"
#include "task/readback.h"
#include "queue/fast_path.h"
#include "queue/patience.h"
#include "queue/stall.h"
#include "queue/probes.h"
#include "queue/traced.h"

#define FEW_EVENTS 16
// Lent by one queue at the same time: some have happened, and nobody has asked.
#define MANY_EVENTS 448

// A closed queue has waited for its tasks: what its visitor came for is over.
static mez_error source_flush(void *owner, uint64_t task)
{
    mez_queue *queue = owner;
    if (!queue->ops->flush || !mez_waiters_enter(&queue->waiters))
        return mez_ok();
    mez_lock_take(&queue->lock);
    const mez_error error = queue->ops->flush(queue, task);
    mez_lock_release(&queue->lock);
    mez_waiters_leave(&queue->waiters);
    return mez_failed(error) ? mez_queue_note_loss(queue, error) : error;
}

// A failed assert is found when the whole batch is retired; where none can be, the event alone is enough.
static mez_error source_finished(void *owner, uint64_t task, mez_deadline deadline)
{
    mez_queue *queue = owner;
    if (!mez_waiters_enter(&queue->waiters))
        return mez_ok();
    const mez_error error = mez_queue_settle_task(queue, task, deadline);
    mez_waiters_leave(&queue->waiters);
    return error;
}

static mez_error source_wait(void *owner, uint64_t task, mez_deadline deadline)
{
    mez_queue *queue = owner;
    if (!mez_waiters_enter(&queue->waiters))
        return mez_ok();
    const mez_error error = mez_queue_wait_for_task(queue, task, deadline);
    mez_waiters_leave(&queue->waiters);
    return error;
}

// The queue keeps a failed assert for whoever comes first.
static void source_reported(void *owner, mez_error failure)
{
    mez_queue *queue = owner;
    mez_queue_forget_error(queue, failure);
    queue->platform->assert_functions->settle(queue->platform);
}

static void source_ref(void *owner, unsigned count)
{
    mez_queue *queue = owner;
    mez_ref_get_many(&queue->ref, count);
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
    return mez_completion_wait_patiently(
        queue->platform, is_released, event, deadline, mez_queue_warn_of_stall, queue);
}

const mez_event_source mez_queue_source = {
    .flush = source_flush,
    .wait = source_wait,
    .finished = source_finished,
    .reported = source_reported,
    .guard = &mez_queue_guard,
    .ref = source_ref,
    .released = source_released,
    .stalled = mez_queue_warn_of_stall,
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
    if (!mez_event_is_complete(event) || !mez_failed(event->outcome) ||
        mez_error_is(event->outcome, MEZ_ERRC_ASSERT)) // has run to its end
        return mez_ok();
    const mez_error error = mez_error_make(
        MEZ_ERRC_EVENT, "event %zu to wait for will never happen: its task failed", index);
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
    const mez_error error = mez_queue_wait_for_task(queue, task, MEZ_NEVER);
    mez_lock_take(&queue->lock);
    return error;
}

static mez_error make_room_in_companion(mez_queue *queue)
{
    mez_queue *companion = mez_companion_of(queue);
    for (uint64_t task; (task = mez_companion_crowded(queue));) {
        mez_lock_release(&queue->lock);
        const mez_error error = mez_queue_wait_for_task(companion, task, MEZ_NEVER);
        mez_lock_take(&queue->lock);
        MEZ_TRY(error);
    }
    return mez_ok();
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
    if (*use)
        return mez_ok();
    *use = mez_used_kernels_look_up(&queue->kernels, command->launch.kernel);
    if (__builtin_expect(*use != NULL, 1))
        return mez_ok();
    mez_lock_release(&queue->lock);
    mez_error error = mez_arguments_check_early(
        command->launch.kernel, command->launch.args, &queue->device->info);
    if (!mez_failed(error)) // wrong arguments are no reason to compile
        error = mez_used_kernels_find(&queue->kernels, command->launch.kernel, queue->device, use);
    mez_lock_take(&queue->lock);
    if (!mez_failed(error))
        mez_used_kernels_show(&queue->kernels, *use);
    return error;
}

static inline void note_recent(mez_queue *queue, const mez_task *task, uint64_t number)
{
    const mez_command *command = task->command;
    const bool timed = task->wait_count > 0 || command->debug_name;
    if (command->kind == MEZ_COMMAND_KERNEL && !timed)
        mez_history_note(
            &queue->history, number, command->kind, command->launch.kernel, command->where);
    else
        mez_history_add(&queue->history, number, command, timed);
}

// Not inlined: rare.
__attribute__((noinline)) static void keep_replay(
    mez_queue *queue, mez_encoding *encoding, uint64_t task)
{
    mez_encoding_ref(encoding);
    mez_task_references_add_list(&queue->references, encoding, task);
}

static inline void note(mez_queue *queue, const mez_task *task)
{
    const uint64_t number = mez_queue_last_task(queue);
    note_recent(queue, task, number);
    if (task->command->kind == MEZ_COMMAND_KERNEL)
        mez_used_kernels_note(&queue->kernels, task->command->launch.use, number);
    else if (task->command->kind == MEZ_COMMAND_REPLAY)
        keep_replay(queue, task->command->replay, number);
    else if (task->command->kind == MEZ_COMMAND_NOTHING && !queue->in_order)
        queue->barrier = number;
    if (task->event) {
        task->event->task = number;
        mez_task_references_add_signalled(&queue->references, task->event);
    }
    for (uint32_t i = 0; i < task->wait_count; i++)
        mez_task_references_add_waited(&queue->references, number, task->wait[i]);
}

// What of a failed task has been appended, and counts as one, uses what the task uses.
__attribute__((cold, noinline)) static void note_part(
    mez_queue *queue, const mez_task *task, uint64_t before)
{
    if (mez_queue_last_task(queue) != before)
        note(queue, task);
    else
        mez_event_unref(task->event);
}

// Room for the events that the task waits for. The caller holds the lock.
static mez_error make_room_to_keep(mez_queue *queue, const mez_task *task)
{
    if (mez_task_references_has_room(&queue->references, task->wait_count))
        return mez_ok();
    if (queue->ops->catch_up && queue->references.count > 0)
        queue->ops->catch_up(queue);
    return mez_task_references_reserve(&queue->references, task->wait_count);
}

// The caller holds the lock. Takes over the task's reference to its event.
static mez_error append_task(mez_queue *queue, const mez_task *task)
{
    const uint64_t before = mez_queue_last_task(queue);
    mez_error error = make_room_to_keep(queue, task);
    if (!mez_failed(error))
        error = queue->ops->append(queue, task);
    if (__builtin_expect(mez_failed(error), 0)) {
        note_part(queue, task, before);
        return error;
    }
    note(queue, task);
    return mez_ok();
}

mez_error mez_queue_append_now(mez_queue *queue, const mez_task *task)
{
    MEZ_TRY(append_task(queue, task));
    if (queue->ops->appended)
        return queue->ops->appended(queue); // which watches what goes to the driver
    mez_handling_watch(queue);
    return mez_ok();
}

// The caller holds the lock.
static mez_error make_ready(mez_queue *queue, mez_command *command)
{
    MEZ_TRY(find_use(queue, command));
    if (__builtin_expect(mez_companion_concerns(queue, command), 0))
        MEZ_TRY(make_room_in_companion(queue));
    MEZ_TRY(make_room(queue)); // last, as it may let the lock go
    if (mez_command_is_prepared(command))
        return mez_ok();
    MEZ_TRY(mez_queue_before_setting(queue));
    return mez_command_prepare(command, queue->device);
}

// As mez_queue_append_now.
static mez_error append(mez_queue *queue, const mez_task *task)
{
    return __builtin_expect(mez_companion_concerns(queue, task->command), 0)
               ? mez_companion_append(queue, task)
               : mez_queue_append_now(queue, task);
}

// The same, and tells of it.
__attribute__((cold, noinline)) static mez_error append_traced(
    mez_queue *queue, const mez_task *task)
{
    mez_traced_begin(task->command);
    const mez_error error = append(queue, task);
    mez_traced_end(queue, task->command, error);
    return error;
}

static inline mez_queue *queue_that_runs(mez_queue *queue, const mez_command *command)
{
    return command->elsewhere ? mez_companion_of(queue) : queue;
}

static inline mez_error hand_over_task(mez_queue *queue, const mez_task *task)
{
    mez_probe_task_begin(queue_that_runs(queue, task->command), task->command->kind);
    const mez_error error =
        MEZ_TRACED(queue->traced) ? append_traced(queue, task) : append(queue, task);
    mez_probe_task_end(queue_that_runs(queue, task->command), task->event, error,
        mez_queue_last_task(queue_that_runs(queue, task->command)));
    return error;
}

__attribute__((cold)) static void enter_traced(
    mez_queue *queue, mez_command *command, const mez_task *task, const mez_task_params *params)
{
    mez_traced_enter(queue, command, task->event, params ? params->wait_for : NULL,
        params ? params->wait_count : 0);
}

// As append. The caller holds the lock.
static mez_error append_or_hold(
    mez_queue *queue, mez_command *command, const mez_task *task, const mez_task_params *params)
{
    mez_queue_take_up_seen(queue);
    mez_error error = make_ready(queue, command);
    if (!mez_failed(error) && MEZ_TRACED(queue->traced))
        enter_traced(queue, command, task, params);
    if (!mez_failed(error) && !mez_queue_must_defer(queue, task))
        return hand_over_task(queue, task);
    if (!mez_failed(error))
        error = mez_queue_defer(queue, task);
    if (!mez_failed(error))
        return error;
    if (MEZ_TRACED(queue->traced))
        mez_traced_drop(queue, command, error);
    mez_event_unref(task->event);
    return error;
}

static mez_error take_event(mez_queue *queue, mez_event **event)
{
    mez_error error = mez_ok();
    mez_lock_take(&queue->lock);
    if (mez_event_cache_lent(&queue->events) >= MANY_EVENTS && queue->ops->catch_up)
        queue->ops->catch_up(queue);
    while (!mez_failed(error) && !mez_event_cache_collect(&queue->events)) {
        mez_lock_release(&queue->lock);
        error = mez_event_cache_fill(&queue->events);
        mez_lock_take(&queue->lock);
    }
    if (!mez_failed(error))
        *event = mez_event_cache_take_ready(&queue->events);
    mez_lock_release(&queue->lock);
    return error;
}

// Of a sort that the queue's cache does not have.
static mez_error make_device_event(mez_queue *queue, mez_event **event)
{
    MEZ_TRY(mez_event_create(queue->platform, queue->event_sort | MEZ_EVENT_DEVICE, event));
    (*event)->source = &mez_queue_source;
    (*event)->owner = queue;
    (*event)->device = queue->device;
    mez_queue_ref(queue);
    mez_event_ref(*event);
    return mez_ok();
}

// The event that the task asks for, or whoever traces it, with a reference for the user and one for the task; NULL: none.
static mez_error find_event(
    mez_queue *queue, const mez_command *command, const mez_task_params *params, mez_event **event)
{
    const bool asked = params && params->event && !queue->discard_events;
    if (!asked && !(MEZ_TRACED(queue->traced) && mez_traced_needs_event(queue, command)))
        return mez_ok();
    mez_queue *runs_it = queue_that_runs(queue, command);
    const bool timed = runs_it->event_sort & MEZ_EVENT_TIMED; // the host reads the times
    MEZ_TRY(asked && params->device_event && !timed ? make_device_event(runs_it, event)
                                                    : take_event(runs_it, event));
    (*event)->of_host = command->kind == MEZ_COMMAND_HOST;
    return mez_ok();
}

static mez_error submit_with_event(
    mez_queue *queue, mez_command *command, mez_task *task, const mez_task_params *params)
{
    MEZ_TRY(find_event(queue, command, params, &task->event));
    mez_lock_take(&queue->lock);
    const mez_error error = append_or_hold(queue, command, task, params);
    mez_lock_release(&queue->lock);
    if (!mez_failed(error) && params && params->event)
        *params->event = task->event;
    else
        mez_event_unref(task->event);
    return error;
}

bool mez_fast_find_events(mez_queue *queue)
{
    mez_queue_take_up_seen(queue);
    return mez_event_cache_collect(&queue->events);
}

void mez_fast_failed(const mez_task_params *task, mez_event *event)
{
    if (!event)
        return;
    *task->event = NULL;
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

static mez_error submit_waiting(
    mez_queue *queue, mez_command *command, const mez_task_params *params)
{
    wait_list list;
    mez_task task = {.command = command};
    MEZ_TRY(check_wait_list(queue, params));
    mez_probe_edges(queue, params);
    mez_error error = wait_list_fill(&list, queue, params->wait_for, params->wait_count, &task);
    if (!mez_failed(error))
        error = submit_with_event(queue, command, &task, params);
    wait_list_finish(&list);
    return error;
}

mez_error mez_queue_submit_task(
    mez_queue *queue, mez_command *command, const mez_task_params *params)
{
    mez_task task = {.command = command};
    MEZ_TRY(mez_platform_loss(queue->platform));
    MEZ_TRY(mez_queue_why_abandoned(queue));
    mez_probe_node(queue, command->kind,
        command->kind == MEZ_COMMAND_KERNEL ? command->launch.kernel : NULL, command->where);
    if (!params)
        return submit_with_event(queue, command, &task, NULL);
    command->debug_name = params->debug_name;
    if (params->wait_count == 0)
        return submit_with_event(queue, command, &task, params);
    return submit_waiting(queue, command, params);
}

void mez_queue_submit_released(mez_queue *queue, mez_command *command, mez_task *task,
    struct mez_deferred_task *held, mez_released_function *let_go)
{
    wait_list list;
    mez_error error = wait_list_fill(&list, queue, task->wait, task->wait_count, task);
    mez_lock_take(&queue->lock);
    mez_queue_take_up_seen(queue);
    if (!mez_failed(error))
        error = make_ready(queue, command);
    if (!mez_failed(error) && task->event)
        mez_event_ref(task->event); // the held task has one of its own
    if (!mez_failed(error))
        error = hand_over_task(queue, task);
    else if (MEZ_TRACED(queue->traced))
        mez_traced_drop(queue, command, error);
    let_go(queue, held, error);
    mez_lock_release(&queue->lock);
    wait_list_finish(&list);
}

mez_error mez_queue_tell_task(
    mez_error error, const mez_location *where, const mez_queue *queue, const char *debug_name)
{
    if (!mez_failed(error))
        return error;
    if (!mez_error_says_lost(error)) // which tells of the queue by itself
        error = mez_error_add(error, "queue", "\"%s\"", queue->name);
    if (debug_name)
        error = mez_error_add(error, "task", "\"%s\"", debug_name);
    return mez_error_add_place(error, where);
}

mez_error mez_queue_tell(
    mez_error error, const mez_location *where, mez_queue *queue, const mez_task_params *task)
{
    if (!mez_failed(error))
        return error;
    error = mez_queue_tell_task(error, where, queue, task ? task->debug_name : NULL);
    return mez_queue_note_loss(queue, error);
}

mez_error mez_queue_tell_launch(mez_error error, const mez_location *where, mez_queue *queue,
    const mez_kernel *kernel, const mez_task_params *task)
{
    error = mez_error_add(error, "kernel", "\"%s\"", mez_kernel_name(kernel));
    return mez_queue_tell(error, where, queue, task);
}
