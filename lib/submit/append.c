// SPDX-License-Identifier: MIT
//
// How a task gets to its queue's kind: it is appended, and noted with what it uses. A task that concerns the companion is appended
// there, with what keeps the order between the two.

#include "queue/companion.h"
#include "queue/errors.h"

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
    mez_task_references_add_waited(&queue->references, number, task->wait, task->wait_count);
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

mez_error mez_queue_append_now(mez_queue *queue, const mez_task *task)
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
    if (queue->ops->appended)
        return queue->ops->appended(queue); // which watches what goes to the driver
    mez_handling_watch(queue);
    return mez_ok();
}

// --- With a companion

static mez_error hand_over(mez_queue *queue)
{
    return queue->ops->flush ? queue->ops->flush(queue, mez_queue_last_task(queue)) : mez_ok();
}

static mez_error append_nothing(mez_queue *queue, mez_event *signal, mez_event *wait)
{
    mez_command nothing = {.kind = MEZ_COMMAND_NOTHING};
    mez_task task = {.command = &nothing, .event = signal};
    if (wait) {
        task.wait = &wait;
        task.ze_wait = &wait->ze;
        task.wait_count = 1;
    }
    return mez_queue_append_now(queue, &task);
}

// What comes next in `behind` waits for everything in `first`.
static mez_error tie(mez_queue *first, mez_queue *behind)
{
    mez_event *event;
    if (mez_queue_last_task(first) <= first->completed)
        return mez_ok();
    MEZ_TRY(mez_event_create(first->platform, MEZ_EVENT_DEVICE, &event));
    mez_event_ref(event); // the task's
    mez_error error = append_nothing(first, event, NULL);
    if (!mez_failed(error))
        error = hand_over(first);
    if (!mez_failed(error))
        error = append_nothing(behind, NULL, event);
    mez_event_unref(event);
    return error;
}

// Nothing was appended: the task's reference to its event goes.
static mez_error give_up(const mez_task *task, mez_error error)
{
    mez_event_unref(task->event);
    return error;
}

static mez_error append_in_order(mez_queue *queue, mez_queue *companion, const mez_task *task)
{
    const mez_error error = tie(queue, companion);
    if (mez_failed(error))
        return give_up(task, error);
    MEZ_TRY(mez_queue_append_now(companion, task));
    return tie(companion, queue);
}

// The driver must have what the task waits for: nobody else would hand it over.
static mez_error append_out_of_order(mez_queue *queue, mez_queue *companion, const mez_task *task)
{
    const mez_error error = task->wait_count > 0 ? hand_over(queue) : mez_ok();
    if (mez_failed(error))
        return give_up(task, error);
    MEZ_TRY(mez_queue_append_now(companion, task));
    return hand_over(companion);
}

static mez_error append_barrier(mez_queue *queue, mez_queue *companion, const mez_task *task)
{
    const mez_error error = tie(companion, queue);
    if (mez_failed(error))
        return give_up(task, error);
    MEZ_TRY(mez_queue_append_now(queue, task));
    return tie(queue, companion);
}

// The companion may have the task, and nothing keeps back what comes behind it in the queue: it ends now.
static void wait_for_loose_end(mez_queue *queue, mez_queue *companion)
{
    const uint64_t task = mez_timeline_submitted(&companion->timeline);
    mez_lock_release(&queue->lock);
    mez_log_error(MEZ_TOPIC_QUEUE, mez_queue_wait_for_task(companion, task, MEZ_NEVER));
    mez_lock_take(&queue->lock);
}

mez_error mez_companion_append(mez_queue *queue, const mez_task *task)
{
    mez_queue *companion = mez_companion_of(queue);
    mez_error error;
    mez_lock_take(&companion->lock);
    mez_queue_take_up_seen(companion);
    if (task->command->kind == MEZ_COMMAND_NOTHING)
        error = append_barrier(queue, companion, task);
    else if (queue->in_order)
        error = append_in_order(queue, companion, task);
    else
        error = append_out_of_order(queue, companion, task);
    if (mez_failed(error))
        mez_queue_take_back_error(companion, error);
    mez_lock_release(&companion->lock);
    if (mez_failed(error) && queue->in_order)
        wait_for_loose_end(queue, companion);
    return error;
}
