// SPDX-License-Identifier: MIT
//
// A batch: a command list with the tasks in it, and the fence that tells their end.
//
// A batch goes through open (tasks are appended), in flight (the driver has it), retired (its end was seen) and back to
// open. The queue's lock guards all of it, except that a waiter may use the fence of a batch that it has referenced.

#ifndef MEZ_QUEUE_BATCH_H
#define MEZ_QUEUE_BATCH_H

#include "queue/probe.h"
#include "queue/queue.h"

typedef struct mez_batch {
    uint32_t ref; // the queue's, and one for each waiter; guarded by the queue's lock
    ze_command_list_handle_t list;
    ze_fence_handle_t fence;

    uint64_t first_task;
    uint64_t last_task;
    uint32_t task_count;
    bool retired;
    bool filled_by_user; // as a whole: goes to the device at once
    bool executed;       // of a detour: the fence will tell its end
    mez_event *gate;     // of a detour (see detour.h), as is the next
    mez_event *done;
    mez_probe probe;

    struct mez_batch *next; // in the queue's list
} mez_batch;

mez_error mez_batch_create(mez_queue *queue, ze_command_queue_handle_t ze, mez_batch **batch);
void mez_batch_destroy(mez_batch *batch);

// Makes a batch that nobody uses ready for new tasks.
mez_error mez_batch_reuse(mez_batch *batch);

#endif
