// SPDX-License-Identifier: MIT
//
// A batch: a command list with the tasks in it, and the fence that tells their end.
//
// A batch goes through open (tasks are appended), in flight (the driver has it), retired (its end was seen) and back to
// open. The queue's lock guards all of it, except that a waiter may use the fence of a batch that it has referenced.

#ifndef MEZ_LISTS_BATCH_H
#define MEZ_LISTS_BATCH_H

#include "lists/repeat.h"
#include "task/encoding.h"

typedef struct mez_batch {
    uint32_t ref; // the queue's, and one for each waiter; guarded by the queue's lock
    ze_command_list_handle_t list;
    ze_fence_handle_t fence;

    uint64_t first_task;
    uint64_t last_task;
    uint32_t task_count;
    bool retired;
    bool goes_at_once; // it is a list of the user's or a replay
    bool executed;     // of a detour: the fence will tell its end
    mez_event *gate;   // of a detour (see detour.h), as is the next
    mez_event *done;
    mez_readback readback;
    mez_repeat repeat;

    mez_encoding *replay; // what runs between `list` and `tail`; NULL: the batch is no replay
    ze_command_list_handle_t tail; // NULL: none was wanted yet
    bool waits;   // of a replay: `list` has something to wait for, else it is empty
    bool signals; // of a replay: `tail` has something to signal

    struct mez_batch *next; // in the queue's list
} mez_batch;

mez_error mez_batch_create(mez_queue *queue, ze_command_queue_handle_t ze, mez_batch **batch);
void mez_batch_destroy(mez_batch *batch);

// Makes a batch that nobody uses ready for new tasks.
mez_error mez_batch_reuse(mez_batch *batch);

// The same without the driver: the list stays as it is, and the fence must be reset.
static inline void mez_batch_rewind(mez_batch *batch)
{
    batch->ref = 1;
    batch->task_count = 0;
    batch->retired = false;
    batch->goes_at_once = false;
    batch->executed = false;
    batch->replay = NULL;
    batch->waits = false;
    batch->signals = false;
    mez_readback_empty(&batch->readback);
}

// Makes an empty batch a replay, which waits for the events and signals one when all has ended; NULL: none. Where that fails the
// batch must be made ready again.
mez_error mez_batch_set_replay(mez_queue *queue, mez_batch *batch, mez_encoding *encoding,
    uint32_t wait_count, ze_event_handle_t *wait, ze_event_handle_t signal);

// All has been appended: ends the list. A replay needs no end.
mez_error mez_batch_close(mez_batch *batch);

// Hands a closed batch to the driver.
mez_error mez_batch_execute(mez_batch *batch, ze_command_queue_handle_t ze);

// Where its asserts are read.
static inline mez_readback *mez_batch_readback(mez_batch *batch)
{
    return batch->replay ? &batch->replay->readback : &batch->readback;
}

#endif
