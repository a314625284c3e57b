// SPDX-License-Identifier: MIT

#include "queue/deferred.h"

#include <stddef.h>

#include "base/alloc.h"
#include "base/list.h"
#include "queue/companion.h"
#include "completion/completion.h"
#include "queue/slow.h"
#include "queue/stall.h"
#include "task/command.h"
#include "queue/probes.h"
#include "queue/traced.h"

// --- What is deferred

// Must it have gone before anything of its queue that comes later?
static bool is_barrier(const mez_queue *queue, const mez_command *command)
{
    return !queue->in_order &&
           (command->kind == MEZ_COMMAND_NOTHING || command->kind == MEZ_COMMAND_LIST);
}

// Must everything of its queue that came before have gone first?
static bool goes_in_line(const mez_queue *queue, const mez_command *command)
{
    return queue->in_order || is_barrier(queue, command) || command->kind == MEZ_COMMAND_REPLAY ||
           (command->kind == MEZ_COMMAND_HOST && command->host.after_all);
}

bool mez_queue_stays_behind(const mez_queue *queue, const mez_task *task)
{
    const mez_deferred_tasks *deferred = &queue->deferred;
    if (task->released)
        return false;
    if (task->command->kind == MEZ_COMMAND_HOST || task->waits_for_deferred)
        return true;
    return deferred->first && (deferred->barriers > 0 || goes_in_line(queue, task->command));
}

// --- Their memory: the task, the list of its events, and a copy of its command, in one block. Those of common size are kept.

#define BLOCK_SIZE ((size_t)512)
#define MOST_UNUSED 128

static size_t align(size_t size)
{
    return (size + _Alignof(max_align_t) - 1) & ~(_Alignof(max_align_t) - 1);
}

static size_t offset_of_command(const mez_task *task)
{
    return align(sizeof *task + task->wait_count * sizeof(mez_event *));
}

static size_t block_size(const mez_task *task)
{
    const size_t size = offset_of_command(task) + mez_command_copy_size(task->command);
    return size < BLOCK_SIZE ? BLOCK_SIZE : size;
}

// The caller holds the lock.
static mez_task *take_block(mez_deferred_tasks *deferred, size_t size)
{
    mez_task *task = NULL;
    if (size > BLOCK_SIZE || !mez_list_pop(&deferred->unused, task, next))
        return mez_alloc_array(1, size);
    deferred->unused_count--;
    *task = (mez_task){.next = NULL};
    return task;
}

// The caller holds the lock.
static void give_block(mez_deferred_tasks *deferred, mez_task *task)
{
    if (!task->is_common || deferred->unused_count == MOST_UNUSED) {
        mez_free_memory(task);
        return;
    }
    mez_list_push(&deferred->unused, task, next);
    deferred->unused_count++;
}

void mez_deferred_finish(mez_deferred_tasks *deferred)
{
    for (mez_task *task; mez_list_pop(&deferred->unused, task, next);)
        mez_free_memory(task);
}

static void deferred_finish(mez_task *task)
{
    for (uint32_t i = 0; i < task->wait_count; i++)
        mez_event_unref(task->wait[i]);
    mez_event_unref(task->event);
    mez_command_finish(task->command);
}

// A copy of a task on its caller's stack, with references of its own except to the event that it signals. The caller holds the lock.
static mez_error deferred_create(
    mez_deferred_tasks *deferred, const mez_task *task, mez_task **created)
{
    const size_t size = block_size(task);
    mez_task *copy = take_block(deferred, size);
    if (!copy)
        return mez_error_no_memory("a task that waits its turn");
    copy->is_common = size == BLOCK_SIZE;
    copy->command = mez_command_copy_to(task->command, (char *)copy + offset_of_command(task));
    if (copy->command->kind == MEZ_COMMAND_KERNEL)
        copy->command->launch.use = NULL; // a prepared launch's may be gone by then
    copy->wait = (mez_event **)(copy + 1);
    for (; copy->wait_count < task->wait_count; copy->wait_count++) {
        copy->wait[copy->wait_count] = task->wait[copy->wait_count];
        mez_event_ref(task->wait[copy->wait_count]);
    }
    copy->released = true; // when it is submitted again
    *created = copy;
    return mez_ok();
}

// The user's list belongs to the task now, which gives it back if the driver does not take it.
static void take_list(mez_task *task)
{
    mez_command *command = task->command;
    if (command->kind != MEZ_COMMAND_LIST)
        return;
    *command->list.taken = true;
    command->list.taken = &task->list_taken;
}

static void link_last(mez_queue *queue, mez_task *task)
{
    mez_deferred_tasks *deferred = &queue->deferred;
    if (!deferred->first)
        mez_queue_slow_down(queue, MEZ_SLOW_DEFERS);
    mez_fifo_append(&deferred->first, &deferred->last, task, next);
    if (is_barrier(queue, task->command))
        deferred->barriers++;
    task->number = mez_timeline_deferred(&queue->timeline) + 1;
    if (queue->dozes)
        mez_queue_wake(queue);
    atomic_store_explicit(&queue->timeline.deferred, task->number, memory_order_release);
}

// --- Releasing

static mez_task *first_of(mez_queue *queue)
{
    mez_lock_take(&queue->lock);
    mez_task *task = queue->deferred.first;
    mez_lock_release(&queue->lock);
    return task;
}

static mez_task *next_of(mez_queue *queue, const mez_task *task)
{
    mez_lock_take(&queue->lock);
    mez_task *next = task->next;
    mez_lock_release(&queue->lock);
    return next;
}

static bool is_host(const mez_task *task)
{
    return task->command->kind == MEZ_COMMAND_HOST;
}

// An event of the list failed: its task will never have run.
static mez_error dependency_failed(
    const mez_queue *queue, const mez_command *command, const mez_event *event, mez_error failure)
{
    mez_error error = mez_error_make(MEZ_ERRC_EVENT, "a task was not run, because %s",
        mez_event_is_of_task(event) ? "a task that it waits for failed"
                                    : "an event that it waits for has failed");
    error = mez_event_is_complete(event)
                ? mez_event_add_cause(error, event)
                : mez_error_add(error, "its task", "%s: %s", mez_error_get_name(failure),
                      mez_error_get_message(failure));
    return mez_queue_add_task_facts(error, command->where, queue, command->debug_name);
}

// What the host task waits for: success, or why it will never run. MEZ_ERRC_TIMEOUT: not yet.
static mez_error look_at_dependencies(mez_queue *queue, mez_task *task)
{
    MEZ_TRY(mez_queue_wait_for_task(queue, task->behind, MEZ_PAST));
    if (task->behind_elsewhere > 0) {
        mez_queue *companion = mez_companion_of(queue);
        MEZ_TRY(mez_queue_wait_for_task(companion, task->behind_elsewhere, MEZ_PAST));
    }
    for (uint32_t i = 0; i < task->wait_count; i++) {
        const mez_error error = mez_event_wait_quietly(task->wait[i], MEZ_PAST);
        if (mez_error_is(error, MEZ_ERRC_TIMEOUT))
            return error;
        if (mez_failed(error) && !mez_error_is(error, MEZ_ERRC_ASSERT)) // such a task has run
            return dependency_failed(queue, task->command, task->wait[i], error);
    }
    return mez_ok();
}

// Barriers that came after the oldest deferred task are deferred, too: the device's all came before it.
static uint64_t newest_barrier(mez_queue *queue)
{
    mez_lock_take(&queue->lock);
    const uint64_t barrier = queue->barrier;
    mez_lock_release(&queue->lock);
    return barrier;
}

// The driver calls a function when a queue has come to a place, so that nobody has to look again and again. Only drivers with host
// functions can do that (specification 1.17), and only in-order lists have places.
//
// The driver calls from a thread of its own, which must not call Level Zero and must not be kept: the function may wake a
// thread and nothing else. It takes no lock that is held over a call to the driver.

// The queue's list if it is in order, also where it has deferred tasks or tools listen; NULL: it is not. The caller holds the lock.
static ze_command_list_handle_t list_to_wake_from(const mez_queue *queue)
{
    const bool usable =
        !mez_queue_is(queue, MEZ_SLOW_ABANDONED | MEZ_SLOW_LOST | MEZ_SLOW_DESTROYED);
    return usable ? queue->list : NULL;
}

// Can this queue's driver call such a function? The caller holds the lock.
static bool can_wake(const mez_queue *queue)
{
    return queue->platform->caps.host_functions && list_to_wake_from(queue);
}

mez_error mez_queue_append_wake(mez_queue *queue, ze_newer_host_function_t *function, void *data)
{
    if (!can_wake(queue))
        return mez_error_make(MEZ_ERRC_FEATURE_NOT_SUPPORTED,
            "the driver of queue \"%s\" calls no host functions", queue->name);
    return ZE_NEWER(&queue->platform->caps.newer, zeCommandListAppendHostFunction,
        list_to_wake_from(queue), function, data, NULL, NULL, 0, NULL);
}

static void append_wake(mez_queue *queue)
{
    struct mez_waker *waker = mez_completion_waker(queue->platform->completion);
    const mez_error error = mez_queue_append_wake(queue, mez_waker_wake, waker);
    if (mez_failed(error))
        mez_waker_unref(waker);
    mez_log_error(MEZ_TOPIC_QUEUE, error);
}

// Where the driver can report that the device has come so far, the completion thread need not look for it.
static void ask_to_be_woken(mez_queue *queue)
{
    mez_lock_take(&queue->lock);
    if (can_wake(queue) && queue->completed < mez_queue_last_task(queue))
        append_wake(queue);
    mez_lock_release(&queue->lock);
}

// Tasks of the companion that nothing in the queue waits for: in order everything there is tied to what follows.
static uint64_t loose_ends(const mez_queue *queue)
{
    const mez_queue *companion = queue->in_order ? NULL : mez_companion_of(queue);
    return companion ? mez_timeline_submitted(&companion->timeline) : 0;
}

// Is nothing before the task that only the library knows of?
static bool has_come_up(mez_queue *queue, mez_task *task)
{
    if (task->has_come_up)
        return true;
    for (uint32_t i = 0; i < task->wait_count; i++)
        if (mez_event_is_deferred(task->wait[i]))
            return false;
    const bool in_line = goes_in_line(queue, task->command);
    if (in_line && first_of(queue) != task)
        return false;
    task->behind = in_line ? mez_timeline_submitted(&queue->timeline) : newest_barrier(queue);
    task->behind_elsewhere = in_line ? loose_ends(queue) : 0;
    mez_lock_take(&queue->lock); // which whoever describes the task holds
    task->has_come_up = true;
    mez_lock_release(&queue->lock);
    if (in_line && is_host(task))
        ask_to_be_woken(queue);
    return true;
}

static void unlink_task(mez_queue *queue, mez_task *task)
{
    mez_deferred_tasks *deferred = &queue->deferred;
    mez_task *before = NULL;
    for (mez_task *other = deferred->first; other != task; other = other->next)
        before = other;
    if (before)
        before->next = task->next;
    else
        deferred->first = task->next;
    if (deferred->last == task)
        deferred->last = before;
    if (is_barrier(queue, task->command))
        deferred->barriers--;
    const uint64_t passed =
        deferred->first ? deferred->first->number - 1 : mez_timeline_deferred(&queue->timeline);
    atomic_store_explicit(&queue->timeline.passed, passed, memory_order_release);
    if (!deferred->first)
        mez_queue_speed_up(queue, MEZ_SLOW_DEFERS);
}

void mez_queue_let_go_deferred(mez_queue *queue, mez_task *task, mez_error outcome)
{
    const mez_command *command = task->command;
    if (!is_host(task)) // of which the story may be another task's
        outcome = mez_queue_add_task_facts(outcome, command->where, queue, command->debug_name);
    if (mez_failed(outcome))
        mez_queue_keep_error(queue, outcome);
    if (task->event && (is_host(task) || mez_failed(outcome)))
        mez_event_complete(task->event, outcome);
    if (task->event)
        mez_event_set_deferred(task->event, false);
    if (command->kind == MEZ_COMMAND_LIST && !task->list_taken)
        queue->ops->give_list(queue, command->list.batch);
    unlink_task(queue, task);
}

static void run_on_host(mez_queue *queue, mez_task *task, mez_error outcome)
{
    const mez_command *command = task->command;
    mez_probe_task_begin(queue, command->kind);
    if (MEZ_TRACED(queue->traced)) {
        mez_lock_take(&queue->lock);
        mez_traced_begin(command);
        mez_lock_release(&queue->lock);
    }
    if (!mez_failed(outcome) && command->host.function) {
        queue->deferred.running = true;
        atomic_store(&task->runs, true);
        command->host.function(command->host.user);
        queue->deferred.running = false;
    }
    mez_probe_task_end(queue, task->event, outcome, 0);
    mez_lock_take(&queue->lock);
    if (MEZ_TRACED(queue->traced))
        mez_traced_host_end(queue, command, outcome);
    mez_queue_let_go_deferred(queue, task, outcome);
    mez_lock_release(&queue->lock);
}

// References are let go without the lock.
static void deferred_destroy(mez_queue *queue, mez_task *task)
{
    deferred_finish(task);
    mez_lock_take(&queue->lock);
    give_block(&queue->deferred, task);
    mez_lock_release(&queue->lock);
}

// True where the task has left the list.
static bool release(mez_queue *queue, mez_task *task)
{
    if (!has_come_up(queue, task))
        return false;
    if (is_host(task)) {
        const mez_error outcome = look_at_dependencies(queue, task);
        if (mez_error_is(outcome, MEZ_ERRC_TIMEOUT))
            return false;
        run_on_host(queue, task, outcome);
    } else {
        mez_queue_submit_deferred(queue, task);
    }
    deferred_destroy(queue, task);
    mez_completion_wake(queue->platform->completion);
    return true;
}

// Over when nothing is deferred any more; the next task to be deferred starts a new watch.
static mez_turn end_turn(mez_queue *queue, bool some)
{
    mez_lock_take(&queue->lock);
    const bool over = !queue->deferred.first;
    if (over)
        queue->deferred.watched = false;
    mez_lock_release(&queue->lock);
    return over ? MEZ_TURN_OVER : (some ? MEZ_TURN_MORE : MEZ_TURN_IDLE);
}

// Releases or runs what has nothing before it any more.
static mez_turn release_deferred(const mez_watch *watch)
{
    mez_queue *queue = watch->owner;
    bool some = false;
    for (mez_task *task = first_of(queue), *next; task; task = next) {
        next = next_of(queue, task);
        const bool stops_others = queue->in_order || is_barrier(queue, task->command);
        const bool released = release(queue, task);
        some |= released;
        if (!released && stops_others)
            break;
    }
    return end_turn(queue, some);
}

// --- Deferring

// Until nothing is deferred any more.
static bool watch_deferred(mez_queue *queue)
{
    const mez_watch watch = {.look = release_deferred, .source = &mez_queue_source, .owner = queue};
    return mez_completion_add(queue->platform->completion, &watch);
}

mez_error mez_queue_defer(mez_queue *queue, const mez_task *task)
{
    mez_task *copy = NULL;
    MEZ_TRY(deferred_create(&queue->deferred, task, &copy));
    if (!queue->deferred.watched && !watch_deferred(queue)) {
        deferred_finish(copy);
        give_block(&queue->deferred, copy);
        return mez_error_no_memory("a host task, or the thread that runs it");
    }
    queue->deferred.watched = true;
    take_list(copy);
    copy->event = task->event;
    if (copy->event)
        mez_event_set_deferred(copy->event, true);
    link_last(queue, copy);
    return mez_ok();
}

// --- Waiting

struct wait {
    const mez_timeline *timeline;
    uint64_t number;
};

static bool has_passed(const void *subject)
{
    const struct wait *wait = subject;
    return mez_timeline_passed(wait->timeline) >= wait->number;
}

mez_error mez_queue_wait_for_deferred(mez_queue *queue, mez_deadline deadline)
{
    const struct wait wait = {&queue->timeline, mez_timeline_deferred(&queue->timeline)};
    return mez_completion_wait_patiently(
        queue->platform, has_passed, &wait, deadline, mez_queue_warn_of_stall, queue);
}
