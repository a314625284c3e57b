// SPDX-License-Identifier: MIT

#include "queue/deferred.h"

#include "base/alloc.h"
#include "queue/companion.h"
#include "queue/completion.h"
#include "queue/patience.h"
#include "queue/slow.h"
#include "queue/stall.h"
#include "task/command_copy.h"
#include "queue/probes.h"
#include "queue/traced.h"
#include "queue/wake.h"

struct mez_deferred_task {
    struct mez_deferred_task *next;
    uint64_t number; // among those that the queue has ever held
    mez_command_copy *stored;
    mez_event *event;          // to signal; referenced; NULL: nobody asked
    mez_event **wait;          // referenced
    uint32_t wait_count;       //
    bool list_taken;           // by the driver; of a list that the user has filled
    bool has_come_up;          // nothing is before it but what the device has
    uint64_t behind;           // that is, of the queue, the tasks up to here; where has_come_up
    uint64_t behind_elsewhere; // and of its companion; 0: none
};

// --- Holding

static bool is_barrier(const mez_queue *queue, const mez_command *command)
{
    return !queue->in_order && command->kind == MEZ_COMMAND_NOTHING;
}

bool mez_queue_must_defer(const mez_queue *queue, const mez_task *task)
{
    const mez_deferred_tasks *holds = &queue->deferred;
    if (task->command->kind == MEZ_COMMAND_HOST || task->waits_for_held)
        return true;
    return holds->first &&
           (queue->in_order || holds->barriers > 0 || is_barrier(queue, task->command));
}

static void held_task_destroy(struct mez_deferred_task *task)
{
    for (uint32_t i = 0; i < task->wait_count; i++)
        mez_event_unref(task->wait[i]);
    mez_event_unref(task->event);
    mez_command_copy_destroy(task->stored);
    mez_free_memory(task);
}

static mez_error held_task_create(const mez_task *task, struct mez_deferred_task **created)
{
    const size_t list = task->wait_count * sizeof(mez_event *);
    struct mez_deferred_task *held = mez_alloc_array(1, sizeof *held + list);
    if (!held)
        return mez_error_no_memory("a task that waits its turn");
    const mez_error error = mez_command_copy_create(task->command, &held->stored);
    if (mez_failed(error)) {
        mez_free_memory(held);
        return error;
    }
    if (task->command->kind == MEZ_COMMAND_KERNEL)
        held->stored->command.launch.use = NULL; // a prepared launch's may be gone by then
    held->wait = (mez_event **)(held + 1);
    for (; held->wait_count < task->wait_count; held->wait_count++) {
        held->wait[held->wait_count] = task->wait[held->wait_count];
        mez_event_ref(task->wait[held->wait_count]);
    }
    *created = held;
    return mez_ok();
}

// The user's list belongs to the task now, which gives it back if the driver does not take it.
static void take_list(struct mez_deferred_task *task)
{
    mez_command *command = &task->stored->command;
    if (command->kind != MEZ_COMMAND_LIST)
        return;
    *command->list.taken = true;
    command->list.taken = &task->list_taken;
}

static void link_last(mez_queue *queue, struct mez_deferred_task *task)
{
    mez_deferred_tasks *holds = &queue->deferred;
    if (holds->last) {
        holds->last->next = task;
    } else {
        holds->first = task;
        mez_queue_slow_down(queue, MEZ_SLOW_DEFERS);
    }
    holds->last = task;
    if (is_barrier(queue, &task->stored->command))
        holds->barriers++;
    task->number = mez_timeline_held(&queue->timeline) + 1;
    atomic_store_explicit(&queue->timeline.held, task->number, memory_order_release);
}

mez_error mez_queue_defer(mez_queue *queue, const mez_task *task)
{
    struct mez_deferred_task *held = NULL;
    MEZ_TRY(held_task_create(task, &held));
    if (!queue->deferred.watched &&
        !mez_completion_watch_deferred(queue->platform->completion, queue)) {
        held_task_destroy(held);
        return mez_error_no_memory("a host task, or the thread that runs it");
    }
    queue->deferred.watched = true;
    take_list(held);
    held->event = task->event;
    if (held->event)
        mez_event_set_held(held->event, true);
    link_last(queue, held);
    return mez_ok();
}

// --- Releasing

static struct mez_deferred_task *first_of(mez_queue *queue)
{
    mez_lock_take(&queue->lock);
    struct mez_deferred_task *task = queue->deferred.first;
    mez_lock_release(&queue->lock);
    return task;
}

static struct mez_deferred_task *next_of(mez_queue *queue, const struct mez_deferred_task *task)
{
    mez_lock_take(&queue->lock);
    struct mez_deferred_task *next = task->next;
    mez_lock_release(&queue->lock);
    return next;
}

static bool is_host(const struct mez_deferred_task *task)
{
    return task->stored->command.kind == MEZ_COMMAND_HOST;
}

// Must everything of its queue that was submitted before it have gone first?
static bool goes_in_line(const mez_queue *queue, const struct mez_deferred_task *task)
{
    return queue->in_order || is_barrier(queue, &task->stored->command) ||
           (is_host(task) && task->stored->command.host.after_all);
}

// An event of the list failed: its task will never have run.
static mez_error dependency_failed(
    const mez_queue *queue, const mez_command *command, const mez_event *event, mez_error failure)
{
    mez_error error = mez_error_make(
        MEZ_ERRC_EVENT, "a task was not run, because a task that it waits for failed");
    error = mez_event_is_complete(event) ? mez_event_add_cause(error, event)
                                         : mez_error_add(error, "its task", "%s: %s",
                                               mez_error_name(failure), mez_error_message(failure));
    return mez_queue_tell_task(error, command->where, queue, command->debug_name);
}

// What the host task waits for: success, or why it will never run. MEZ_ERRC_TIMEOUT: not yet.
static mez_error look_at_dependencies(mez_queue *queue, struct mez_deferred_task *task)
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
            return dependency_failed(queue, &task->stored->command, task->wait[i], error);
    }
    return mez_ok();
}

// Barriers that came after the oldest held task are held, too: the device's all came before it.
static uint64_t newest_barrier(mez_queue *queue)
{
    mez_lock_take(&queue->lock);
    const uint64_t barrier = queue->barrier;
    mez_lock_release(&queue->lock);
    return barrier;
}

static void append_wake(mez_queue *queue)
{
    struct mez_waker *waker = mez_completion_waker(queue->platform->completion);
    const mez_error error = mez_queue_append_wake(queue, mez_waker_wake, waker);
    if (mez_failed(error))
        mez_waker_unref(waker);
    mez_log_error(MEZ_TOPIC_QUEUE, error);
}

// Where the driver can tell that the device has come so far, the completion thread need not look for it.
static void ask_to_be_woken(mez_queue *queue)
{
    mez_lock_take(&queue->lock);
    if (mez_queue_can_wake(queue) && queue->completed < mez_queue_last_task(queue))
        append_wake(queue);
    mez_lock_release(&queue->lock);
}

// Tasks of the companion that nothing in the queue waits for: in order everything there is tied to what follows.
static uint64_t loose_ends(const mez_queue *queue)
{
    const mez_queue *companion = queue->in_order ? NULL : mez_companion_of(queue);
    return companion ? mez_timeline_submitted(&companion->timeline) : 0;
}

// Is nothing before the task that only the runtime knows of?
static bool has_come_up(mez_queue *queue, struct mez_deferred_task *task)
{
    if (task->has_come_up)
        return true;
    for (uint32_t i = 0; i < task->wait_count; i++)
        if (mez_event_is_held(task->wait[i]))
            return false;
    const bool in_line = goes_in_line(queue, task);
    if (in_line && first_of(queue) != task)
        return false;
    task->has_come_up = true;
    task->behind = in_line ? mez_timeline_submitted(&queue->timeline) : newest_barrier(queue);
    task->behind_elsewhere = in_line ? loose_ends(queue) : 0;
    if (in_line && is_host(task))
        ask_to_be_woken(queue);
    return true;
}

static void unlink_task(mez_queue *queue, struct mez_deferred_task *task)
{
    mez_deferred_tasks *holds = &queue->deferred;
    struct mez_deferred_task *before = NULL;
    for (struct mez_deferred_task *other = holds->first; other != task; other = other->next)
        before = other;
    if (before)
        before->next = task->next;
    else
        holds->first = task->next;
    if (holds->last == task)
        holds->last = before;
    if (is_barrier(queue, &task->stored->command))
        holds->barriers--;
    const uint64_t passed =
        holds->first ? holds->first->number - 1 : mez_timeline_held(&queue->timeline);
    atomic_store_explicit(&queue->timeline.passed, passed, memory_order_release);
    if (!holds->first)
        mez_queue_speed_up(queue, MEZ_SLOW_DEFERS);
}

// The task is the driver's now, or over, or lost. The caller holds the lock.
static void let_go(mez_queue *queue, struct mez_deferred_task *task, mez_error outcome)
{
    const mez_command *command = &task->stored->command;
    if (!is_host(task)) // of which the story may be another task's
        outcome = mez_queue_tell_task(outcome, command->where, queue, command->debug_name);
    if (mez_failed(outcome))
        mez_queue_keep_error(queue, outcome);
    if (task->event && (is_host(task) || mez_failed(outcome)))
        mez_event_complete(task->event, outcome);
    if (task->event)
        mez_event_set_held(task->event, false);
    if (command->kind == MEZ_COMMAND_LIST && !task->list_taken)
        queue->ops->give_list(queue, command->list.batch);
    unlink_task(queue, task);
}

static void run_on_host(mez_queue *queue, struct mez_deferred_task *task, mez_error outcome)
{
    const mez_command *command = &task->stored->command;
    mez_probe_task_begin(queue, command->kind);
    if (MEZ_TRACED(queue->traced))
        mez_traced_begin(command);
    if (!mez_failed(outcome) && command->host.function) {
        queue->deferred.running = true;
        command->host.function(command->host.user);
        queue->deferred.running = false;
    }
    mez_probe_task_end(queue, task->event, outcome, 0);
    mez_lock_take(&queue->lock);
    if (MEZ_TRACED(queue->traced))
        mez_traced_host_end(queue, command, outcome);
    let_go(queue, task, outcome);
    mez_lock_release(&queue->lock);
}

static void hand_to_driver(mez_queue *queue, struct mez_deferred_task *held)
{
    mez_task task = {
        .command = &held->stored->command,
        .event = held->event,
        .wait = held->wait,
        .wait_count = held->wait_count,
    };
    mez_queue_submit_released(queue, &held->stored->command, &task, held, let_go);
}

// True where the task has left the list.
static bool release(mez_queue *queue, struct mez_deferred_task *task)
{
    if (!has_come_up(queue, task))
        return false;
    if (is_host(task)) {
        const mez_error outcome = look_at_dependencies(queue, task);
        if (mez_error_is(outcome, MEZ_ERRC_TIMEOUT))
            return false;
        run_on_host(queue, task, outcome);
    } else {
        hand_to_driver(queue, task);
    }
    held_task_destroy(task);
    mez_completion_tell(queue->platform->completion);
    return true;
}

// Over when nothing is held any more; the next task to be held starts a new watch.
static mez_turn end_turn(mez_queue *queue, bool some)
{
    mez_lock_take(&queue->lock);
    const bool over = !queue->deferred.first;
    if (over)
        queue->deferred.watched = false;
    mez_lock_release(&queue->lock);
    return over ? MEZ_TURN_OVER : (some ? MEZ_TURN_MORE : MEZ_TURN_IDLE);
}

mez_turn mez_queue_release_deferred(mez_queue *queue)
{
    bool some = false;
    for (struct mez_deferred_task *task = first_of(queue), *next; task; task = next) {
        next = next_of(queue, task);
        const bool stops_others = queue->in_order || is_barrier(queue, &task->stored->command);
        const bool released = release(queue, task);
        some |= released;
        if (!released && stops_others)
            break;
    }
    return end_turn(queue, some);
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
    const struct wait wait = {&queue->timeline, mez_timeline_held(&queue->timeline)};
    return mez_completion_wait_patiently(
        queue->platform, has_passed, &wait, deadline, mez_queue_warn_of_stall, queue);
}
