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

#include "base/alloc.h"
#include "queue/batch.h"
#include "queue/batch_size.h"
#include "queue/completion.h"
#include "queue/stall.h"

#define MOST_IN_FLIGHT 32

struct mez_batched {
    ze_command_queue_handle_t ze;
    mez_batch_size size;

    mez_batch *open;   // NULL: none
    mez_batch *oldest; // in flight, in order of submission
    mez_batch *newest;
    uint32_t in_flight;
    mez_batch *spare; // ready to be opened
};

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

// A batch that nobody refers to any more is ready for its next life. The caller holds the lock.
static void unref_batch(struct mez_batched *batched, mez_batch *batch)
{
    if (--batch->ref > 0)
        return;
    batch->next = batched->spare;
    batched->spare = batch;
}

// The number up to which every task is over: of the batches from `batch` on, and of the open one, none is. The caller holds the
// lock.
static uint64_t tasks_before(const mez_queue *queue, const mez_batch *batch)
{
    const mez_batch *open = queue->batched->open;
    if (batch)
        return batch->first_task - 1;
    return open && open->task_count > 0 ? open->first_task - 1 : mez_queue_last_task(queue);
}

// The caller holds the lock.
static uint64_t batched_look(mez_queue *queue)
{
    const mez_batch *batch = queue->batched->oldest;
    while (batch && ZE_RESULT(zeFenceHostSynchronize, batch->fence, 0) == ZE_RESULT_SUCCESS)
        batch = batch->next;
    return tasks_before(queue, batch);
}

// The oldest batch has run, or never will: reports what its asserts say and lets go. The caller holds the lock.
static void retire_oldest(mez_queue *queue, mez_error outcome)
{
    struct mez_batched *batched = queue->batched;
    mez_batch *batch = batched->oldest;
    batched->oldest = batch->next;
    if (!batched->oldest)
        batched->newest = NULL;
    batched->in_flight--;
    batch->retired = true;

    if (!mez_failed(outcome) && mez_batch_probe(batch)->module_count > 0)
        outcome = queue->platform->probe_hooks->look(mez_batch_probe(batch));
    if (mez_failed(outcome))
        mez_queue_keep_error(queue, outcome);
    mez_queue_complete(queue, batch->last_task, outcome);
    unref_batch(batched, batch);
}

// Retires what has already run, without waiting. The caller holds the lock.
static void reap(mez_queue *queue)
{
    struct mez_batched *batched = queue->batched;
    while (batched->oldest &&
           ZE_RESULT(zeFenceHostSynchronize, batched->oldest->fence, 0) == ZE_RESULT_SUCCESS)
        retire_oldest(queue, mez_ok());
}

static mez_error take_spare(mez_queue *queue, mez_batch **taken)
{
    struct mez_batched *batched = queue->batched;
    mez_batch *batch = batched->spare;
    if (!batch)
        return mez_batch_create(queue, batched->ze, taken);
    MEZ_TRY(mez_batch_reuse(batch));
    batched->spare = batch->next;
    *taken = batch;
    return mez_ok();
}

// The caller holds the lock.
static mez_error open_batch(mez_queue *queue)
{
    struct mez_batched *batched = queue->batched;
    if (batched->open)
        return mez_ok();
    reap(queue);
    return take_spare(queue, &batched->open);
}

static void add_in_flight(struct mez_batched *batched, mez_batch *batch)
{
    batch->next = NULL;
    if (batched->newest)
        batched->newest->next = batch;
    else
        batched->oldest = batch;
    batched->newest = batch;
    batched->in_flight++;
}

static mez_error close_and_execute(mez_queue *queue, mez_batch *batch)
{
    if (batch->probe.module_count > 0)
        MEZ_TRY(queue->platform->probe_hooks->append(&batch->probe, batch->list));
    MEZ_TRY(mez_batch_close(batch));
    return mez_batch_execute(batch, queue->batched->ze);
}

// Hands the open batch to the driver. Where that fails its tasks are lost, and everybody who waits for them is told: `told`
// tasks by the error returned here, the others by the queue's next wait. The caller holds the lock.
static mez_error submit_open(mez_queue *queue, uint32_t told)
{
    struct mez_batched *batched = queue->batched;
    mez_batch *batch = batched->open;
    batched->open = NULL;
    mez_error error = close_and_execute(queue, batch);
    if (mez_failed(error)) {
        error = mez_error_headline(error, "queue \"%s\": the driver did not take %u tasks",
            queue->name, batch->task_count);
        if (batch->task_count > told)
            mez_queue_keep_error(queue, error);
        mez_queue_lose(queue, batch->first_task, batch->last_task, error);
        unref_batch(batched, batch);
        return error;
    }
    add_in_flight(batched, batch);
    mez_recent_stamp(&queue->recent, batch->last_task);
    if (mez_batch_probe(batch)->module_count > 0)
        mez_completion_watch(queue->platform->completion, queue, batch->last_task);
    return error;
}

// Appends barrier and command. The first task on an idle queue has nothing to wait for.
static mez_error append_commands(mez_queue *queue, const mez_task *task)
{
    mez_batch *batch = queue->batched->open;
    const bool first = batch->task_count == 0 && !queue->batched->oldest;
    if (!first && mez_task_needs_barrier(queue, task))
        MEZ_TRY(ZE(zeCommandListAppendBarrier, batch->list, NULL, 0, NULL));
    ze_event_handle_t signal = task->event ? task->event->ze : NULL;
    return mez_command_append(task->command, batch->list, signal, task->wait_count, task->ze_wait);
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

static bool is_time(const struct mez_batched *batched)
{
    const bool idle = !batched->oldest && !batched->size.fixed;
    return idle || batched->open->goes_at_once || is_full(batched);
}

// A device that has run out of work meanwhile should have been given it earlier.
static bool device_is_busy(const struct mez_batched *batched)
{
    return batched->newest &&
           ZE_RESULT(zeFenceHostSynchronize, batched->newest->fence, 0) == ZE_RESULT_NOT_READY;
}

// What stands before the user's commands is the barrier between tasks. The caller holds the lock.
static mez_error batched_take_list(mez_queue *queue, mez_batch **batch)
{
    reap(queue);
    MEZ_TRY(take_spare(queue, batch));
    const mez_error error = ZE(zeCommandListAppendBarrier, (*batch)->list, NULL, 0, NULL);
    if (mez_failed(error))
        unref_batch(queue->batched, *batch);
    return error;
}

static void batched_give_list(mez_queue *queue, mez_batch *batch)
{
    unref_batch(queue->batched, batch);
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
        unref_batch(batched, open);
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
    reap(queue);
    MEZ_TRY(take_spare(queue, &batch));
    const mez_error error = mez_batch_set_replay(queue, batch, task->command->replay,
        task->wait_count, task->ze_wait, task->event ? task->event->ze : NULL);
    if (mez_failed(error)) {
        unref_batch(queue->batched, batch);
        return error;
    }
    batch->goes_at_once = true;
    queue->batched->open = batch;
    note(batch, task, mez_queue_count_task(queue));
    return mez_ok();
}

static mez_error batched_replay(mez_queue *queue, mez_encoding *encoding)
{
    struct mez_batched *batched = queue->batched;
    mez_batch *batch;
    if (batched->open)
        MEZ_TRY(put_open_away(queue));
    reap(queue);
    MEZ_TRY(take_spare(queue, &batch));
    const mez_error error =
        ZE(zeCommandQueueExecuteCommandLists, batched->ze, 1, &encoding->list, batch->fence);
    if (mez_failed(error)) {
        unref_batch(batched, batch);
        return error;
    }
    batch->replay = encoding;
    batch->waits = false;
    batch->task_count = 1;
    batch->first_task = batch->last_task = mez_queue_count_task(queue);
    mez_replays_add(queue, encoding, batch->last_task);
    add_in_flight(batched, batch);
    if (encoding->probe.module_count > 0)
        mez_completion_watch(queue->platform->completion, queue, batch->last_task);
    return error;
}

static mez_error batched_append(mez_queue *queue, const mez_task *task)
{
    if (task->command->kind == MEZ_COMMAND_LIST)
        return append_list(queue, task);
    if (task->command->kind == MEZ_COMMAND_REPLAY)
        return append_replay(queue, task);
    struct mez_batched *batched = queue->batched;
    MEZ_TRY(open_batch(queue));
    MEZ_TRY(mez_probe_reserve(&batched->open->probe));
    MEZ_TRY(append_commands(queue, task));
    note(batched->open, task, mez_queue_count_task(queue));
    return mez_ok();
}

// A full batch goes to the driver. Its error is told to the submitter of the last task, for that one task.
static mez_error batched_appended(mez_queue *queue)
{
    struct mez_batched *batched = queue->batched;
    if (!is_time(batched))
        return mez_ok();
    if (!batched->size.fixed && is_full(batched))
        mez_batch_size_full(&batched->size, device_is_busy(batched));
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

// The oldest batch in flight with tasks up to `task`, referenced; NULL when there is none left to wait for.
static mez_error next_to_wait_for(mez_queue *queue, uint64_t task, mez_batch **batch)
{
    mez_lock_take(&queue->lock);
    const mez_error error = flush_up_to(queue, task);
    mez_batch *oldest = queue->batched->oldest;
    const bool pending = !mez_failed(error) && oldest && oldest->first_task <= task;
    *batch = pending ? oldest : NULL;
    if (*batch)
        (*batch)->ref++;
    else if (!mez_failed(error)) // what is not in flight has ended or was lost
        mez_queue_complete(queue, task, mez_ok());
    mez_lock_release(&queue->lock);
    return error;
}

// Nothing that the driver has will end any more. Tasks of batches that it did not take end here as well. The caller holds the
// lock.
static void lose_in_flight(mez_queue *queue, mez_error outcome)
{
    while (queue->batched->oldest)
        retire_oldest(queue, outcome);
    mez_queue_complete(queue, tasks_before(queue, NULL), outcome);
}

static void after_waiting(mez_queue *queue, mez_batch *batch, mez_error outcome)
{
    mez_lock_take(&queue->lock);
    if (mez_error_is(outcome, MEZ_ERRC_DEVICE_LOST))
        lose_in_flight(queue, outcome);
    while (!mez_failed(outcome) &&
           !batch->retired) // older ones first: they have run when this one has
        retire_oldest(queue, outcome);
    unref_batch(queue->batched, batch);
    mez_lock_release(&queue->lock);
}

static mez_error wait_for_task(mez_queue *queue, uint64_t task, mez_deadline deadline)
{
    for (;;) {
        mez_batch *batch;
        MEZ_TRY(next_to_wait_for(queue, task, &batch));
        if (!batch)
            return mez_ok();
        const mez_error outcome = mez_wait_fence(batch->fence, deadline, &mez_queue_guard, queue);
        after_waiting(queue, batch, outcome);
        MEZ_TRY(outcome);
    }
}

// Only a batch with asserts has more to tell than the event did.
static mez_error batched_settle(mez_queue *queue, uint64_t task, mez_deadline deadline)
{
    mez_lock_take(&queue->lock);
    bool asserting = false;
    for (mez_batch *batch = queue->batched->oldest; batch; batch = batch->next)
        if (batch->first_task <= task && task <= batch->last_task)
            asserting = mez_batch_probe(batch)->module_count > 0;
    mez_lock_release(&queue->lock);
    return asserting ? wait_for_task(queue, task, deadline) : mez_ok();
}

static void destroy_list(mez_batch *batch)
{
    while (batch) {
        mez_batch *next = batch->next;
        mez_batch_destroy(batch);
        batch = next;
    }
}

// Only a lost device leaves batches in flight behind a wait.
static void abandon_in_flight(mez_queue *queue)
{
    mez_lock_take(&queue->lock);
    if (queue->completed < mez_queue_last_task(queue))
        lose_in_flight(queue, mez_queue_abandoned(queue));
    mez_lock_release(&queue->lock);
}

static void batched_finish(mez_queue *queue)
{
    struct mez_batched *batched = queue->batched;
    mez_completion_forget(queue->platform->completion, queue);
    abandon_in_flight(queue);
    if (batched->open)
        mez_batch_destroy(batched->open);
    destroy_list(batched->spare);
    ZE_LOGGED(zeCommandQueueDestroy, batched->ze);
    mez_free_memory(batched);
    queue->batched = NULL;
}

const mez_queue_ops mez_batched_queue = {
    .name = "batched",
    .init = batched_init,
    .finish = batched_finish,
    .crowded = batched_crowded,
    .append = batched_append,
    .appended = batched_appended,
    .replay = batched_replay,
    .flush = flush_up_to,
    .wait = wait_for_task,
    .settle = batched_settle,
    .take_list = batched_take_list,
    .give_list = batched_give_list,
    .look = batched_look,
};

const mez_queue_ops mez_basic_queue = {
    .name = "basic",
    .init = basic_init,
    .finish = batched_finish,
    .crowded = batched_crowded,
    .append = batched_append,
    .appended = batched_appended,
    .flush = flush_up_to,
    .wait = wait_for_task,
    .settle = batched_settle,
    .take_list = batched_take_list,
    .give_list = batched_give_list,
    .look = batched_look,
};
