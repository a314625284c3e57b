// SPDX-License-Identifier: MIT
//
// What a batched queue keeps: one batch that takes tasks, those that the driver has, and those that have ended.
//
//   batched.c     the kinds' operations, with lists of users and replays, which are batches of their own
//   open_batch.c  the open batch: tasks come in, appended or left to a list that has them, and it goes to the driver
//   in_flight.c   what the driver has: looked at, waited for, retired; and what has ended: the next batch comes from there, to be
//                 filled or repeated
//
// The queue's lock guards all of it.

#ifndef MEZ_LISTS_BATCHED_H
#define MEZ_LISTS_BATCHED_H

#include "base/list.h"
#include "lists/batch.h"

// How many tasks a batch shall hold. A large batch costs the host less for each task, and lets the device wait longer for the
// first one. So the size follows what happens: it doubles while batches fill up before the device has run out of work, and
// halves while they are ended early because somebody waits.
#define MEZ_SMALLEST_BATCH 4
#define MEZ_LARGEST_ADAPTED_BATCH 64

typedef struct mez_batch_size {
    uint32_t tasks; // in a batch
    // Chosen by the user: nothing changes it, and an idle device does not end a batch early.
    bool fixed;
    int trend; // full batches, or those ended early as a negative number, one after the other
} mez_batch_size;

// From MEZ_BATCH, else the smallest, to be adapted. MEZ_ERRC_INVALID_PARAMETER: an invalid value.
mez_error mez_batch_size_init(mez_batch_size *size);

// --- What a batched queue keeps

struct mez_batched {
    ze_command_queue_handle_t ze;
    mez_batch_size size;

    mez_batch *open;   // NULL: none
    mez_batch *oldest; // in flight, in order of submission
    mez_batch *newest;
    uint32_t in_flight;
    mez_batch *idle;      // that ended last comes first
    uint32_t batch_count; // in all
};

// A task for an idle device is not kept until others come.
static inline bool mez_batched_is_idle(const struct mez_batched *batched)
{
    return !batched->oldest && !batched->size.fixed;
}

// --- open_batch.c

// There is an open batch then: one that repeats a list which begins with this launch, else an empty one. The caller holds the lock.
mez_error mez_open_batch_begin(mez_queue *queue, uint64_t setting);

// Appends a task to the open batch, which follows no list, with a barrier where it needs one. `setting`: mez_repeat_setting.
mez_error mez_open_batch_append(mez_queue *queue, const mez_task *task, uint64_t setting);

// The same where the open batch follows a list which goes on otherwise: another one may do.
mez_error mez_open_batch_append_aside(mez_queue *queue, const mez_task *task, uint64_t setting);

// The task with this number is one of the batch's.
static inline void mez_open_batch_note(mez_batch *batch, const mez_task *task, uint64_t number)
{
    if (batch->task_count++ == 0)
        batch->first_task = number;
    batch->last_task = number;
    mez_module *module = mez_command_asserting_module(task->command);
    if (module)
        mez_readback_add(&batch->readback, module);
}

// Hands the open batch to the driver. Where that fails its tasks are lost, and everybody who waits for them gets the error: `reported`
// tasks the one that is returned here, the others that of the queue's next wait.
mez_error mez_open_batch_submit(mez_queue *queue, uint32_t reported);

// Leaves none open: what is in it goes to the driver.
mez_error mez_open_batch_put_away(mez_queue *queue);

// See mez_queue_ops.
mez_error mez_open_batch_before_setting(mez_queue *queue);

// --- in_flight.c: what has ended

// An empty batch for new tasks.
mez_error mez_idle_batches_take(mez_queue *queue, mez_batch **batch);

// A batch whose list begins with these `count` launches (none begins with 0) and may be executed now, best with so many tasks and
// never with more. Its fence has not been reset. NULL: there is none.
mez_batch *mez_idle_batches_take_repeat(
    struct mez_batched *batched, const uint64_t *settings, uint32_t count, uint32_t tasks);

// One more, empty.
mez_error mez_idle_batches_create(mez_queue *queue, mez_batch **batch);

// Takes a spare out of the list.
static inline mez_batch *mez_idle_batches_take_out(mez_batch **link)
{
    mez_batch *batch = *link;
    *link = batch->next;
    return batch;
}

// A batch for a replay that needs no list of its own; its list may repeat later.
static inline mez_error mez_idle_batches_take_fence(mez_queue *queue, mez_batch **taken)
{
    struct mez_batched *batched = queue->batched;
    if (!batched->idle)
        return mez_idle_batches_create(queue, taken);
    MEZ_TRY(ZE(zeFenceReset, batched->idle->fence));
    *taken = mez_idle_batches_take_out(&batched->idle);
    mez_batch_rewind(*taken);
    return mez_ok();
}

// A batch that nobody refers to any more is a spare.
static inline void mez_batched_unref(struct mez_batched *batched, mez_batch *batch)
{
    if (--batch->ref > 0)
        return;
    mez_list_push(&batched->idle, batch, next);
}

void mez_idle_batches_finish(struct mez_batched *batched);

// --- in_flight.c: what the driver has

// The driver has the batch.
static inline void mez_in_flight_add(struct mez_batched *batched, mez_batch *batch)
{
    mez_fifo_append(&batched->oldest, &batched->newest, batch, next);
    batched->in_flight++;
}

// Does the device still have work?
bool mez_in_flight_is_busy(mez_queue *queue);

// Retires what has already run, without waiting.
void mez_in_flight_reap(mez_queue *queue);

// See mez_queue_ops. The number up to which every task is over.
uint64_t mez_in_flight_look(mez_queue *queue);

// Waits for a task that is in flight or over. The caller holds the lock, which is let go meanwhile.
mez_error mez_in_flight_wait(mez_queue *queue, uint64_t task, mez_deadline deadline);

// Is there more to report of a batch in flight with the task than that it has ended?
bool mez_in_flight_asserts(const mez_queue *queue, uint64_t task);

// See mez_queue_ops.
bool mez_in_flight_find_stuck(mez_queue *queue, mez_stuck *stuck);

// Only a lost device leaves batches in flight behind a wait.
void mez_in_flight_abandon(mez_queue *queue);

#endif
