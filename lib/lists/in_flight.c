// SPDX-License-Identifier: MIT

#include "lists/batched.h"
#include "queue/traced.h"
#include "queue/stall.h"

// Of the batches from `batch` on, and of the open one, no task is over.
static uint64_t tasks_before(const mez_queue *queue, const mez_batch *batch)
{
    const mez_batch *open = queue->batched->open;
    if (batch)
        return batch->first_task - 1;
    return open && open->task_count > 0 ? open->first_task - 1 : mez_queue_last_task(queue);
}

static ze_result_t look_at(mez_queue *queue, const mez_batch *batch)
{
    return mez_queue_check_answer(queue, ZE_RESULT(zeFenceHostSynchronize, batch->fence, 0),
        batch->first_task, batch->last_task);
}

static bool has_run(mez_queue *queue, const mez_batch *batch)
{
    return look_at(queue, batch) == ZE_RESULT_SUCCESS;
}

bool mez_in_flight_is_busy(mez_queue *queue)
{
    const mez_batch *newest = queue->batched->newest;
    return newest && look_at(queue, newest) == ZE_RESULT_NOT_READY;
}

uint64_t mez_in_flight_look(mez_queue *queue)
{
    const mez_batch *batch = queue->batched->oldest;
    while (batch && has_run(queue, batch))
        batch = batch->next;
    return tasks_before(queue, batch);
}

// What was posted is there even if the batch has failed.
__attribute__((noinline)) static void look_at_asserts(
    mez_queue *queue, mez_batch *batch, bool failed)
{
    mez_readback *readback = mez_batch_readback(batch);
    if (!failed || readback->posts)
        queue->hooks->look(readback, queue, batch->first_task, batch->last_task);
    if (readback->posts)
        mez_mailboxes_note_looked(&queue->mailboxes, batch->last_task);
}

// The oldest batch has run, or never will: reports what its asserts say and lets go.
static void retire_oldest(mez_queue *queue, mez_error outcome)
{
    struct mez_batched *batched = queue->batched;
    mez_batch *batch;
    mez_fifo_pop(&batched->oldest, &batched->newest, batch, next);
    batched->in_flight--;
    batch->retired = true;

    if (mez_readback_can_fail(mez_batch_readback(batch)))
        look_at_asserts(queue, batch, mez_failed(outcome));
    if (mez_failed(outcome))
        mez_queue_keep_error(queue, outcome);
    mez_queue_complete_now(queue, batch->last_task, outcome);
    mez_batched_unref(batched, batch);
}

// Not inlined: its frame would be paid for where nothing is in flight.
__attribute__((noinline)) static void reap(mez_queue *queue)
{
    while (queue->batched->oldest && has_run(queue, queue->batched->oldest))
        retire_oldest(queue, mez_ok());
}

void mez_in_flight_reap(mez_queue *queue)
{
    if (queue->batched->oldest)
        reap(queue);
}

// The oldest batch in flight with tasks up to `task`, referenced; NULL when there is none left to wait for.
static mez_batch *next_to_wait_for(mez_queue *queue, uint64_t task)
{
    mez_batch *oldest = queue->batched->oldest;
    if (oldest && oldest->first_task <= task) {
        oldest->ref++;
        return oldest;
    }
    mez_queue_complete(queue, task, mez_ok()); // what is not in flight has ended or was lost
    return NULL;
}

// Nothing that the driver has will end any more. Tasks of batches that it did not take end here as well.
static void lose_all(mez_queue *queue, mez_error outcome)
{
    while (queue->batched->oldest)
        retire_oldest(queue, outcome);
    mez_queue_complete(queue, tasks_before(queue, NULL), outcome);
}

static void after_waiting(mez_queue *queue, mez_batch *batch, mez_error outcome)
{
    if (mez_error_is(outcome, MEZ_ERRC_DEVICE_LOST))
        lose_all(queue, outcome);
    while (!mez_failed(outcome) &&
           !batch->retired) // older ones first: they have run when this one has
        retire_oldest(queue, outcome);
    mez_batched_unref(queue->batched, batch);
}

static mez_error wait_unlocked(mez_queue *queue, const mez_batch *batch, mez_deadline deadline)
{
    mez_lock_release(&queue->lock);
    const mez_error outcome = mez_wait_fence(batch->fence, deadline, &mez_queue_guard, queue);
    mez_lock_take(&queue->lock);
    return outcome;
}

// Some drivers return the code of a failed assert once, to whoever asks first. Who only looks asks with the lock held, so that nobody
// who waits sees success meanwhile.
static bool is_seen(mez_queue *queue, const mez_batch *batch, mez_deadline deadline)
{
    return deadline == MEZ_PAST && queue->platform->caps.assert_code && has_run(queue, batch);
}

mez_error mez_in_flight_wait(mez_queue *queue, uint64_t task, mez_deadline deadline)
{
    mez_error outcome = mez_ok();
    mez_batch *batch;
    while (!mez_failed(outcome) && (batch = next_to_wait_for(queue, task))) {
        if (!is_seen(queue, batch, deadline))
            outcome = wait_unlocked(queue, batch, deadline);
        after_waiting(queue, batch, outcome);
    }
    return outcome;
}

bool mez_in_flight_asserts(const mez_queue *queue, uint64_t task)
{
    for (mez_batch *batch = queue->batched->oldest; batch; batch = batch->next)
        if (batch->first_task <= task && task <= batch->last_task)
            return mez_readback_can_fail(mez_batch_readback(batch));
    return false;
}

bool mez_in_flight_find_stuck(mez_queue *queue, mez_stuck *stuck)
{
    mez_batch *batch = queue->batched->oldest;
    while (batch && has_run(queue, batch))
        batch = batch->next;
    if (!batch || !mez_readback_wants_watch(mez_batch_readback(batch)))
        return false;
    *stuck = (mez_stuck){mez_batch_readback(batch), batch->first_task, batch->last_task};
    return true;
}

void mez_in_flight_abandon(mez_queue *queue)
{
    if (queue->completed < mez_queue_last_task(queue))
        lose_all(queue, mez_queue_destroyed_early(queue));
}

// --- Idle batches

// So many different batches can repeat in turn, though no more than one may be in flight.
#define MOST_REMEMBERED 8

mez_error mez_idle_batches_create(mez_queue *queue, mez_batch **batch)
{
    MEZ_TRY(mez_batch_create(queue, queue->batched->ze, batch));
    queue->batched->batch_count++;
    return mez_ok();
}

// The batch to fill next, by its link: one that can't repeat, else the one that ended longest ago, but a few of those are left
// alone. NULL: none.
static mez_batch **find_free(struct mez_batched *batched)
{
    mez_batch **last = NULL;
    for (mez_batch **link = &batched->idle; *link; link = &(*link)->next) {
        if ((*link)->repeat.count == 0)
            return link;
        last = link;
    }
    return batched->batch_count < MOST_REMEMBERED ? NULL : last;
}

mez_error mez_idle_batches_take(mez_queue *queue, mez_batch **taken)
{
    mez_batch **link = find_free(queue->batched);
    if (!link)
        return mez_idle_batches_create(queue, taken);
    MEZ_TRY(mez_batch_reuse(*link));
    *taken = mez_idle_batches_take_out(link);
    return mez_ok();
}

static bool may_repeat(const mez_repeat *repeat, const struct mez_batched *batched,
    const uint64_t *settings, uint32_t count, uint32_t tasks)
{
    return repeat->count <= tasks && mez_repeat_starts_with(repeat, settings, count) &&
           (repeat->starts_anywhere || !batched->oldest);
}

mez_batch *mez_idle_batches_take_repeat(
    struct mez_batched *batched, const uint64_t *settings, uint32_t count, uint32_t tasks)
{
    mez_batch **best = NULL;
    for (mez_batch **link = &batched->idle; *link; link = &(*link)->next)
        if (may_repeat(&(*link)->repeat, batched, settings, count, tasks) &&
            (!best || (*link)->repeat.count > (*best)->repeat.count))
            best = link;
    if (!best)
        return NULL;
    mez_batch *batch = mez_idle_batches_take_out(best);
    mez_batch_rewind(batch);
    return batch;
}

void mez_idle_batches_finish(struct mez_batched *batched)
{
    while (batched->idle)
        mez_batch_destroy(mez_idle_batches_take_out(&batched->idle));
}
