// SPDX-License-Identifier: MIT
//
// The batched kind of queue: tasks are collected in a regular command list, which goes to the driver as one submission. On
// drivers without in-order lists (22.43) this is the cheapest path by far: 3,000 instead of 13,000 instructions a kernel at ten
// kernels a batch (facts: performance.md 3).
//
// The basic kind is the same with batches of one task. In order an immediate list would need barriers or events between its
// tasks, and both cost more than the list (docs/performance.md).
//
// In-order is our job: such drivers start commands in order but do not complete them in order, so a barrier stands between
// any two tasks, also across batches.

#include "queue/batched.h"

#include "base/alloc.h"
#include "queue/completion.h"

#define MOST_IN_FLIGHT 32

static mez_error create_ze_queue(mez_queue *queue, ze_command_queue_handle_t *ze)
{
    const ze_command_queue_desc_t description = mez_queue_description(queue);
    return ZE(zeCommandQueueCreate, queue->platform->ze, queue->device->ze, &description, ze);
}

static mez_error init(mez_queue *queue, mez_error (*choose_size)(mez_batch_size *size))
{
    struct mez_batched *batched = mez_new(struct mez_batched);
    if (!batched)
        return mez_error_no_memory("a queue");
    mez_error error = choose_size(&batched->size);
    if (!mez_failed(error))
        error = create_ze_queue(queue, &batched->ze);
    if (mez_failed(error))
        mez_free_memory(batched);
    else
        queue->batched = batched;
    return error;
}

static mez_error batched_init(mez_queue *queue)
{
    return init(queue, mez_batch_size_init);
}

static mez_error choose_one(mez_batch_size *size)
{
    mez_batch_size_fix_one(size);
    return mez_ok();
}

static mez_error basic_init(mez_queue *queue)
{
    return init(queue, choose_one);
}

static mez_error close_and_execute(mez_queue *queue, mez_batch *batch)
{
    if (batch->probe.module_count > 0)
        MEZ_TRY(queue->platform->probe_hooks->append(&batch->probe, batch->list));
    if (batch->repeat.follows) // closed long ago
        MEZ_TRY(ZE(zeFenceReset, batch->fence));
    else
        MEZ_TRY(mez_batch_close(batch));
    return mez_batch_execute(batch, queue->batched->ze);
}

// The driver did not take the batch. Its tasks are lost, and everybody who waits for them is told: `told` tasks by the error returned
// here, the others by the queue's next wait.
static mez_error lose(mez_queue *queue, mez_batch *batch, uint32_t told, mez_error error)
{
    error = mez_error_headline(
        error, "queue \"%s\": the driver did not take %u tasks", queue->name, batch->task_count);
    if (batch->task_count > told)
        mez_queue_keep_error(queue, error);
    mez_queue_lose(queue, batch->first_task, batch->last_task, error);
    mez_repeat_spoil(&batch->repeat);
    mez_batched_unref(queue->batched, batch);
    return error;
}

// Appends barrier and command. The first task on an idle queue has nothing to wait for.
static mez_error append_commands(mez_queue *queue, const mez_task *task)
{
    mez_batch *batch = queue->batched->open;
    const bool starts = batch->task_count == 0, waits = !starts || queue->batched->oldest;
    if (starts)
        batch->repeat.starts_anywhere = waits || !queue->in_order;
    if (waits && mez_task_needs_barrier(queue, task))
        MEZ_TRY(ZE(zeCommandListAppendBarrier, batch->list, NULL, 0, NULL));
    ze_event_handle_t signal = task->event ? task->event->ze : NULL;
    return mez_command_append(task->command, batch->list, signal, task->wait_count, task->ze_wait);
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
        MEZ_TRY(append_commands(queue, &task));
        mez_repeat_note(&batch->repeat, command.launch.use->setting);
    }
    return mez_ok();
}

// The open batch does not repeat its list to the end: what it shares with it gets a list of its own, and that list stays for
// another time.
__attribute__((noinline)) static mez_error end_repeat(mez_queue *queue)
{
    struct mez_batched *batched = queue->batched;
    mez_batch *old = batched->open;
    batched->open = NULL;
    mez_error error = mez_spares_take(queue, &batched->open);
    if (!mez_failed(error))
        error = append_shared(queue, old);
    if (mez_failed(error)) {
        error = lose(queue, old, 0, error);
        if (batched->open)
            mez_repeat_spoil(&batched->open->repeat);
        if (batched->open)
            mez_batched_unref(batched, batched->open);
        batched->open = NULL;
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
        mez_spares_take_repeat(queue->batched, settings, old->shared + (setting != 0), tasks);
    if (!batch)
        return end_repeat(queue);
    follow(queue->batched, batch);
    return mez_ok();
}

// Hands the open batch to the driver, as `lose` tells where that fails. The caller holds the lock.
static mez_error submit_open(mez_queue *queue, uint32_t told)
{
    struct mez_batched *batched = queue->batched;
    const mez_repeat *repeat = &batched->open->repeat;
    if (repeat->follows && !mez_repeat_is_whole(repeat))
        MEZ_TRY(leave_list(queue, 0, repeat->shared));
    mez_batch *batch = batched->open;
    batched->open = NULL;
    const mez_error error = close_and_execute(queue, batch);
    if (mez_failed(error))
        return lose(queue, batch, told, error);
    batch->repeat.follows = false;
    mez_in_flight_add(batched, batch);
    mez_recent_stamp(&queue->recent, batch->last_task);
    if (mez_probe_wants_watch(mez_batch_probe(batch)))
        mez_completion_watch(queue->platform->completion, queue, batch->last_task);
    return error;
}

static void note(mez_batch *batch, const mez_task *task, uint64_t number)
{
    if (batch->task_count++ == 0)
        batch->first_task = number;
    batch->last_task = number;
    mez_module *module = mez_command_asserting_module(task->command);
    if (module)
        mez_probe_add(&batch->probe, module);
}

static bool is_full(const struct mez_batched *batched)
{
    return batched->open->task_count >= batched->size.tasks;
}

// A task for an idle device is not kept until others come.
static bool is_idle(const struct mez_batched *batched)
{
    return !batched->oldest && !batched->size.fixed;
}

static bool is_time(const struct mez_batched *batched)
{
    return is_idle(batched) || batched->open->goes_at_once || is_full(batched);
}

// What stands before the user's commands is the barrier between tasks. The caller holds the lock.
static mez_error batched_take_list(mez_queue *queue, mez_batch **batch)
{
    mez_in_flight_reap(queue);
    MEZ_TRY(mez_spares_take(queue, batch));
    const mez_error error = ZE(zeCommandListAppendBarrier, (*batch)->list, NULL, 0, NULL);
    if (mez_failed(error))
        mez_batched_unref(queue->batched, *batch);
    return error;
}

static void batched_give_list(mez_queue *queue, mez_batch *batch)
{
    mez_batched_unref(queue->batched, batch);
}

// Tasks that came before go to the device before.
static mez_error put_open_away(mez_queue *queue)
{
    struct mez_batched *batched = queue->batched;
    mez_batch *open = batched->open;
    if (open && open->task_count > 0)
        return submit_open(queue, 0);
    batched->open = NULL;
    if (open)
        mez_batched_unref(batched, open);
    return mez_ok();
}

// The user's list becomes the open batch, and goes to the device as such.
static mez_error append_list(mez_queue *queue, const mez_task *task)
{
    mez_batch *batch = task->command->list.batch;
    MEZ_TRY(put_open_away(queue));
    if (task->event)
        MEZ_TRY(ZE(zeCommandListAppendBarrier, batch->list, task->event->ze, 0, NULL));
    batch->goes_at_once = true;
    queue->batched->open = batch;
    *task->command->list.taken = true;
    note(batch, task, mez_queue_count_task(queue));
    return mez_ok();
}

// A replay is a batch of its own, and the recorded list begins with the barrier between tasks. Not inlined: its frame would be paid
// for by every task.
__attribute__((noinline)) static mez_error append_replay(mez_queue *queue, const mez_task *task)
{
    mez_batch *batch;
    MEZ_TRY(put_open_away(queue));
    mez_in_flight_reap(queue);
    MEZ_TRY(mez_spares_take(queue, &batch));
    const mez_error error = mez_batch_set_replay(queue, batch, task->command->replay,
        task->wait_count, task->ze_wait, task->event ? task->event->ze : NULL);
    if (mez_failed(error)) {
        mez_batched_unref(queue->batched, batch);
        return error;
    }
    batch->goes_at_once = true;
    queue->batched->open = batch;
    note(batch, task, mez_queue_count_task(queue));
    return mez_ok();
}

// No more than a fence is needed of the batch.
static mez_error batched_replay(mez_queue *queue, mez_encoding *encoding)
{
    struct mez_batched *batched = queue->batched;
    mez_batch *batch;
    if (batched->open)
        MEZ_TRY(put_open_away(queue));
    mez_in_flight_reap(queue);
    MEZ_TRY(mez_spares_take_fence(queue, &batch));
    batch->replay = encoding;
    const mez_error error = mez_batch_execute(batch, batched->ze);
    if (mez_failed(error)) {
        mez_batched_unref(batched, batch);
        return error;
    }
    batch->task_count = 1;
    batch->first_task = batch->last_task = mez_queue_count_task(queue);
    mez_replays_add(queue, encoding, batch->last_task);
    mez_in_flight_add(batched, batch);
    if (mez_probe_wants_watch(&encoding->probe))
        mez_completion_watch(queue->platform->completion, queue, batch->last_task);
    return error;
}

// How many tasks the open batch will hold if nothing comes between.
static uint32_t expected_tasks(const struct mez_batched *batched)
{
    return is_idle(batched) ? 1 : batched->size.tasks;
}

// The caller holds the lock.
static mez_error open_batch(mez_queue *queue, uint64_t setting)
{
    struct mez_batched *batched = queue->batched;
    mez_in_flight_reap(queue);
    mez_batch *batch = mez_spares_take_repeat(batched, &setting, 1, expected_tasks(batched));
    if (!batch)
        return mez_spares_take(queue, &batched->open);
    follow(batched, batch);
    return mez_ok();
}

static mez_error append_anew(mez_queue *queue, const mez_task *task, uint64_t setting)
{
    mez_batch *batch = queue->batched->open;
    MEZ_TRY(mez_probe_reserve(&batch->probe));
    MEZ_TRY(append_commands(queue, task));
    mez_repeat_note(&batch->repeat, setting);
    return mez_ok();
}

// Where the list that the open batch follows goes on otherwise.
__attribute__((noinline)) static mez_error append_aside(
    mez_queue *queue, const mez_task *task, uint64_t setting)
{
    struct mez_batched *batched = queue->batched;
    MEZ_TRY(setting ? leave_list(queue, setting, expected_tasks(batched)) : end_repeat(queue));
    return mez_repeat_share(&batched->open->repeat, task, setting)
               ? mez_ok()
               : append_anew(queue, task, setting);
}

static mez_error append_to_open(mez_queue *queue, const mez_task *task, uint64_t setting)
{
    mez_repeat *repeat = &queue->batched->open->repeat;
    if (!repeat->follows)
        return append_anew(queue, task, setting);
    return mez_repeat_share(repeat, task, setting) ? mez_ok() : append_aside(queue, task, setting);
}

static mez_error batched_append(mez_queue *queue, const mez_task *task)
{
    if (task->command->kind == MEZ_COMMAND_LIST)
        return append_list(queue, task);
    if (task->command->kind == MEZ_COMMAND_REPLAY)
        return append_replay(queue, task);
    const uint64_t setting = mez_repeat_setting(task);
    if (!queue->batched->open)
        MEZ_TRY(open_batch(queue, setting));
    MEZ_TRY(append_to_open(queue, task, setting));
    note(queue->batched->open, task, mez_queue_count_task(queue));
    return mez_ok();
}

// What the open batch has left out is appended with what is set now.
static mez_error batched_before_setting(mez_queue *queue)
{
    const mez_batch *open = queue->batched->open;
    return open && open->repeat.follows ? end_repeat(queue) : mez_ok();
}

// A full batch goes to the driver. Its error is told to the submitter of the last task, for that one task.
static mez_error batched_appended(mez_queue *queue)
{
    struct mez_batched *batched = queue->batched;
    if (!is_time(batched))
        return mez_ok();
    // A device that has run out of work meanwhile should have been given it earlier.
    if (!batched->size.fixed && is_full(batched))
        mez_batch_size_full(&batched->size, mez_in_flight_is_busy(queue));
    return submit_open(queue, 1);
}

static uint64_t batched_crowded(mez_queue *queue)
{
    const struct mez_batched *batched = queue->batched;
    return batched->in_flight >= MOST_IN_FLIGHT ? batched->oldest->last_task : 0;
}

// The caller holds the lock.
static mez_error flush_up_to(mez_queue *queue, uint64_t task)
{
    const mez_batch *open = queue->batched->open;
    if (!open || open->task_count == 0 || open->first_task > task)
        return mez_ok();
    mez_batch_size_early(&queue->batched->size, open->task_count);
    return submit_open(queue, 0);
}

static mez_error batched_wait(mez_queue *queue, uint64_t task, mez_deadline deadline)
{
    mez_lock_take(&queue->lock);
    mez_error error = flush_up_to(queue, task);
    if (!mez_failed(error))
        error = mez_in_flight_wait(queue, task, deadline);
    mez_lock_release(&queue->lock);
    return error;
}

// Only a batch with asserts has more to tell than the event did.
static mez_error batched_settle(mez_queue *queue, uint64_t task, mez_deadline deadline)
{
    mez_lock_take(&queue->lock);
    const bool asserts = mez_in_flight_asserts(queue, task);
    mez_lock_release(&queue->lock);
    return asserts ? batched_wait(queue, task, deadline) : mez_ok();
}

static void batched_finish(mez_queue *queue)
{
    struct mez_batched *batched = queue->batched;
    mez_completion_forget(queue->platform->completion, queue);
    mez_lock_take(&queue->lock);
    mez_in_flight_abandon(queue);
    mez_lock_release(&queue->lock);
    if (batched->open)
        mez_batch_destroy(batched->open);
    mez_spares_finish(batched);
    ZE_LOGGED(zeCommandQueueDestroy, batched->ze);
    mez_free_memory(batched);
    queue->batched = NULL;
}

const mez_queue_ops mez_batched_queue = {
    .name = "batched",
    .init = batched_init,
    .finish = batched_finish,
    .crowded = batched_crowded,
    .before_setting = batched_before_setting,
    .append = batched_append,
    .appended = batched_appended,
    .replay = batched_replay,
    .flush = flush_up_to,
    .wait = batched_wait,
    .settle = batched_settle,
    .take_list = batched_take_list,
    .give_list = batched_give_list,
    .look = mez_in_flight_look,
    .find_stuck = mez_in_flight_find_stuck,
};

const mez_queue_ops mez_basic_queue = {
    .name = "basic",
    .init = basic_init,
    .finish = batched_finish,
    .crowded = batched_crowded,
    .before_setting = batched_before_setting,
    .append = batched_append,
    .appended = batched_appended,
    .flush = flush_up_to,
    .wait = batched_wait,
    .settle = batched_settle,
    .take_list = batched_take_list,
    .give_list = batched_give_list,
    .look = mez_in_flight_look,
    .find_stuck = mez_in_flight_find_stuck,
};
