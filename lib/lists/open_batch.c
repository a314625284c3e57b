// SPDX-License-Identifier: MIT

#include "lists/batched.h"
#include "completion/completion.h"
#include "queue/traced.h"

static mez_error close_and_execute(mez_queue *queue, mez_batch *batch)
{
    if (batch->readback.modules.count > 0)
        MEZ_TRY(queue->hooks->append(&batch->readback, queue, batch->list));
    if (batch->repeat.follows) // closed long ago
        MEZ_TRY(ZE(zeFenceReset, batch->fence));
    else
        MEZ_TRY(mez_batch_close(batch));
    return mez_batch_execute(batch, queue->batched->ze);
}

// The driver did not take the batch: see mez_open_batch_submit.
static mez_error lose(mez_queue *queue, mez_batch *batch, uint32_t reported, mez_error error)
{
    error = mez_error_headline(
        error, "queue \"%s\": the driver did not take %u tasks", queue->name, batch->task_count);
    if (batch->task_count > reported)
        mez_queue_keep_error(queue, error);
    mez_queue_lose(queue, batch->first_task, batch->last_task, error);
    mez_repeat_spoil(&batch->repeat);
    mez_batched_unref(queue->batched, batch);
    return error;
}

// Not inlined: its frame would be paid for by launches that can't assert.
__attribute__((noinline)) static mez_error prepare_asserts(
    mez_queue *queue, mez_batch *batch, const mez_command *command)
{
    if (command->launch.use->posts)
        return mez_mailboxes_aim(
            &queue->mailboxes, command->launch.use, mez_queue_last_task(queue) + 1);
    return mez_readback_reserve(&batch->readback);
}

// The first task on an idle queue has nothing to wait for.
mez_error mez_open_batch_append(mez_queue *queue, const mez_task *task, uint64_t setting)
{
    mez_batch *batch = queue->batched->open;
    const bool starts = batch->task_count == 0, waits = !starts || queue->batched->oldest;
    // The setting of launches that can assert is 0.
    if (setting == 0 && mez_command_asserting_module(task->command))
        MEZ_TRY(prepare_asserts(queue, batch, task->command));
    if (starts)
        batch->repeat.starts_anywhere = waits || !queue->in_order;
    if (waits && mez_task_needs_barrier(queue, task))
        MEZ_TRY(ZE(zeCommandListAppendBarrier, batch->list, NULL, 0, NULL));
    ze_event_handle_t signal = task->event ? task->event->ze : NULL;
    MEZ_TRY(
        mez_command_append(task->command, batch->list, signal, task->wait_count, task->ze_wait));
    mez_repeat_note(&batch->repeat, setting);
    return mez_ok();
}

// Appends to the open batch what another has left out, as tasks of the same numbers.
static mez_error append_shared(mez_queue *queue, const mez_batch *from)
{
    mez_batch *batch = queue->batched->open;
    batch->first_task = from->first_task;
    batch->last_task = from->last_task;
    for (; batch->task_count < from->repeat.shared; batch->task_count++) {
        mez_command command = {.kind = MEZ_COMMAND_KERNEL};
        command.launch.use = from->repeat.uses[batch->task_count];
        const mez_task task = {.command = &command};
        MEZ_TRY(mez_open_batch_append(queue, &task, command.launch.use->setting));
    }
    return mez_ok();
}

// It may have been filled in part.
static void drop_open(struct mez_batched *batched)
{
    mez_batch *batch = batched->open;
    batched->open = NULL;
    if (!batch)
        return;
    mez_repeat_spoil(&batch->repeat);
    mez_batched_unref(batched, batch);
}

// The open batch does not repeat its list to the end: what it shares with it gets a list of its own, and that list stays for
// another time.
__attribute__((noinline)) static mez_error end_repeat(mez_queue *queue)
{
    struct mez_batched *batched = queue->batched;
    mez_batch *old = batched->open;
    batched->open = NULL;
    mez_error error = mez_idle_batches_take(queue, &batched->open);
    if (!mez_failed(error))
        error = append_shared(queue, old);
    if (mez_failed(error)) {
        error = lose(queue, old, 0, error);
        drop_open(batched);
        return error;
    }
    old->repeat.follows = false;
    mez_batched_unref(batched, old);
    return error;
}

// The open batch goes on as the repetition of another list.
static void follow(struct mez_batched *batched, mez_batch *batch)
{
    mez_batch *old = batched->open;
    batched->open = batch;
    mez_repeat_follow(&batch->repeat);
    if (!old)
        return;
    batch->first_task = old->first_task;
    batch->last_task = old->last_task;
    batch->task_count = batch->repeat.shared = old->repeat.shared;
    memcpy(batch->repeat.uses, old->repeat.uses, old->repeat.shared * sizeof *old->repeat.uses);
    old->repeat.follows = false;
    mez_batched_unref(batched, old);
}

// The list that the open batch follows goes on otherwise than with this launch (0: than with none). Another one may do, best with
// so many tasks.
static mez_error leave_list(mez_queue *queue, uint64_t setting, uint32_t tasks)
{
    const mez_repeat *old = &queue->batched->open->repeat;
    uint64_t settings[MEZ_LONGEST_REPEAT + 1];
    memcpy(settings, old->settings, old->shared * sizeof *settings);
    settings[old->shared] = setting;
    mez_batch *batch =
        mez_idle_batches_take_repeat(queue->batched, settings, old->shared + (setting != 0), tasks);
    if (!batch)
        return end_repeat(queue);
    follow(queue->batched, batch);
    return mez_ok();
}

mez_error mez_open_batch_submit(mez_queue *queue, uint32_t reported)
{
    struct mez_batched *batched = queue->batched;
    const mez_repeat *repeat = &batched->open->repeat;
    if (repeat->follows && !mez_repeat_is_whole(repeat))
        MEZ_TRY(leave_list(queue, 0, repeat->shared));
    mez_batch *batch = batched->open;
    batched->open = NULL;
    const mez_error error = close_and_execute(queue, batch);
    if (mez_failed(error))
        return lose(queue, batch, reported, error);
    batch->repeat.follows = false;
    mez_in_flight_add(batched, batch);
    mez_history_stamp(&queue->history, batch->last_task);
    if (mez_readback_wants_watch(mez_batch_readback(batch)) || queue->handling)
        mez_queue_watch(queue, batch->last_task);
    return error;
}

// How many tasks the open batch will hold if nothing comes between.
static uint32_t expected_tasks(const struct mez_batched *batched)
{
    return mez_batched_is_idle(batched) ? 1 : batched->size.tasks;
}

mez_error mez_open_batch_begin(mez_queue *queue, uint64_t setting)
{
    struct mez_batched *batched = queue->batched;
    mez_in_flight_reap(queue);
    mez_batch *batch = mez_idle_batches_take_repeat(batched, &setting, 1, expected_tasks(batched));
    if (!batch)
        return mez_idle_batches_take(queue, &batched->open);
    follow(batched, batch);
    return mez_ok();
}

mez_error mez_open_batch_append_aside(mez_queue *queue, const mez_task *task, uint64_t setting)
{
    struct mez_batched *batched = queue->batched;
    MEZ_TRY(setting ? leave_list(queue, setting, expected_tasks(batched)) : end_repeat(queue));
    return mez_repeat_share(&batched->open->repeat, task, setting)
               ? mez_ok()
               : mez_open_batch_append(queue, task, setting);
}

// Tasks that came before go to the device before.
mez_error mez_open_batch_put_away(mez_queue *queue)
{
    struct mez_batched *batched = queue->batched;
    mez_batch *open = batched->open;
    if (open && open->task_count > 0)
        return mez_open_batch_submit(queue, 0);
    batched->open = NULL;
    if (open)
        mez_batched_unref(batched, open);
    return mez_ok();
}

// What the open batch has left out is appended with what is set now.
mez_error mez_open_batch_before_setting(mez_queue *queue)
{
    const mez_batch *open = queue->batched->open;
    return open && open->repeat.follows ? end_repeat(queue) : mez_ok();
}
