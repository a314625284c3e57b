// SPDX-License-Identifier: MIT
//
// The batched kind of queue: tasks are collected in a regular command list, which goes to the driver as one submission. On
// drivers without in-order lists (22.43) this is the cheapest path by far: 3,000 instead of 13,000 instructions a kernel at ten
// kernels a batch (docs/internals/performance.md#what-driver-2243-charges).
//
// The basic kind is the same with batches of one task. In order an immediate list would need barriers or events between its
// tasks, and both cost more than the list (docs/performance.md).
//
// In-order is our job: such drivers start commands in order but do not complete them in order, so a barrier stands between
// any two tasks, also across batches.

#include "lists/batched.h"

#include <errno.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "completion/completion.h"
#include "base/environment.h"

#define MOST_IN_FLIGHT 32

// --- The size of a batch

#define LARGEST_FIXED_BATCH 4096 // base/environment.def has it for users
#define TREND 3                  // alike batches in a row that change the size

mez_error mez_batch_size_init(mez_batch_size *size)
{
    *size = (mez_batch_size){.tasks = MEZ_SMALLEST_BATCH};
    const char *text = mez_setting(MEZ_VARIABLE_BATCH);
    if (!text)
        return mez_ok();
    char *end;
    errno = 0;
    const long tasks = strtol(text, &end, 10);
    if (errno || *end || tasks < 1 || tasks > LARGEST_FIXED_BATCH)
        return mez_setting_refused(MEZ_VARIABLE_BATCH);
    size->tasks = (uint32_t)tasks;
    size->fixed = true;
    return mez_ok();
}

// Exactly one task in each batch.
static void batch_size_fix_one(mez_batch_size *size)
{
    *size = (mez_batch_size){.tasks = 1, .fixed = true};
}

// What happens now and then, in between, changes nothing.
static bool is_trend(mez_batch_size *size, int direction)
{
    size->trend = size->trend * direction > 0 ? size->trend + direction : direction;
    if (size->trend * direction < TREND)
        return false;
    size->trend = 0;
    return true;
}

// A batch was full; `busy`: the device had work all the while.
static void batch_size_full(mez_batch_size *size, bool busy)
{
    if (size->fixed || !busy || !is_trend(size, 1))
        return;
    if (size->tasks < MEZ_LARGEST_ADAPTED_BATCH)
        size->tasks *= 2;
}

// Just one task short is as good as full.
static void batch_size_early(mez_batch_size *size, uint32_t tasks)
{
    if (size->fixed || tasks > size->tasks / 2 || !is_trend(size, -1))
        return;
    if (size->tasks > MEZ_SMALLEST_BATCH)
        size->tasks /= 2;
}

// --- The queue

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
    batch_size_fix_one(size);
    return mez_ok();
}

static mez_error basic_init(mez_queue *queue)
{
    return init(queue, choose_one);
}

static bool is_full(const struct mez_batched *batched)
{
    return batched->open->task_count >= batched->size.tasks;
}

static bool is_time(const struct mez_batched *batched)
{
    return mez_batched_is_idle(batched) || batched->open->goes_at_once || is_full(batched);
}

// What stands before the user's commands is the barrier between tasks. The caller holds the lock.
static mez_error batched_take_list(mez_queue *queue, mez_batch **batch)
{
    mez_in_flight_reap(queue);
    MEZ_TRY(mez_idle_batches_take(queue, batch));
    const mez_error error = ZE(zeCommandListAppendBarrier, (*batch)->list, NULL, 0, NULL);
    if (mez_failed(error))
        mez_batched_unref(queue->batched, *batch);
    return error;
}

static void batched_give_list(mez_queue *queue, mez_batch *batch)
{
    mez_batched_unref(queue->batched, batch);
}

// The user's list becomes the open batch, and goes to the device as such.
static mez_error append_list(mez_queue *queue, const mez_task *task)
{
    mez_batch *batch = task->command->list.batch;
    MEZ_TRY(mez_open_batch_put_away(queue));
    if (task->event)
        MEZ_TRY(ZE(zeCommandListAppendBarrier, batch->list, task->event->ze, 0, NULL));
    batch->goes_at_once = true;
    queue->batched->open = batch;
    *task->command->list.taken = true;
    mez_open_batch_note(batch, task, mez_queue_count_task(queue));
    return mez_ok();
}

// A replay is a batch of its own, and the recorded list begins with the barrier between tasks. Not inlined: its frame would be paid
// for by every task.
__attribute__((noinline)) static mez_error append_replay(mez_queue *queue, const mez_task *task)
{
    mez_batch *batch;
    MEZ_TRY(mez_open_batch_put_away(queue));
    mez_in_flight_reap(queue);
    MEZ_TRY(mez_idle_batches_take(queue, &batch));
    const mez_error error = mez_batch_set_replay(queue, batch, task->command->replay,
        task->wait_count, task->ze_wait, task->event ? task->event->ze : NULL);
    if (mez_failed(error)) {
        mez_batched_unref(queue->batched, batch);
        return error;
    }
    batch->goes_at_once = true;
    queue->batched->open = batch;
    mez_open_batch_note(batch, task, mez_queue_count_task(queue));
    return mez_ok();
}

// No more than a fence is needed of the batch.
static mez_error batched_replay(mez_queue *queue, mez_encoding *encoding)
{
    struct mez_batched *batched = queue->batched;
    mez_batch *batch;
    if (batched->open)
        MEZ_TRY(mez_open_batch_put_away(queue));
    mez_in_flight_reap(queue);
    MEZ_TRY(mez_idle_batches_take_fence(queue, &batch));
    batch->replay = encoding;
    const mez_error error = mez_batch_execute(batch, batched->ze);
    if (mez_failed(error)) {
        mez_batched_unref(batched, batch);
        return error;
    }
    batch->task_count = 1;
    batch->first_task = batch->last_task = mez_queue_count_quick(queue); // nothing slows it down
    mez_task_references_add_list(&queue->references, encoding, batch->last_task);
    mez_in_flight_add(batched, batch);
    if (mez_readback_wants_watch(&encoding->readback))
        mez_queue_watch(queue, batch->last_task);
    return error;
}

static mez_error batched_append(mez_queue *queue, const mez_task *task)
{
    if (task->command->kind == MEZ_COMMAND_LIST)
        return append_list(queue, task);
    if (task->command->kind == MEZ_COMMAND_REPLAY)
        return append_replay(queue, task);
    const uint64_t setting = mez_repeat_setting(task);
    if (!queue->batched->open)
        MEZ_TRY(mez_open_batch_begin(queue, setting));
    mez_repeat *repeat = &queue->batched->open->repeat;
    if (!repeat->follows)
        MEZ_TRY(mez_open_batch_append(queue, task, setting));
    else if (!mez_repeat_share(repeat, task, setting))
        MEZ_TRY(mez_open_batch_append_aside(queue, task, setting));
    mez_open_batch_note(queue->batched->open, task, mez_queue_count_task(queue));
    return mez_ok();
}

// A full batch goes to the driver. Its error is returned to whoever submitted the last task, for that one task.
static mez_error batched_appended(mez_queue *queue)
{
    struct mez_batched *batched = queue->batched;
    if (!is_time(batched))
        return mez_ok();
    // A device that has run out of work meanwhile should have been given it earlier.
    if (!batched->size.fixed && is_full(batched))
        batch_size_full(&batched->size, mez_in_flight_is_busy(queue));
    return mez_open_batch_submit(queue, 1);
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
    batch_size_early(&queue->batched->size, open->task_count);
    return mez_open_batch_submit(queue, 0);
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

// Only of a batch with asserts is there more to report than the event showed.
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
    mez_idle_batches_finish(batched);
    ZE_LOGGED(zeCommandQueueDestroy, batched->ze);
    mez_free_memory(batched);
    queue->batched = NULL;
}

const mez_queue_ops mez_batched_queue = {
    .name = "batched",
    .init = batched_init,
    .finish = batched_finish,
    .crowded = batched_crowded,
    .before_setting = mez_open_batch_before_setting,
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
    .before_setting = mez_open_batch_before_setting,
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
