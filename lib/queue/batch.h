// SPDX-License-Identifier: MIT
//
// A batch: a command list with the tasks in it, what they use, and the fence that tells their end.
//
// A batch goes through open (tasks are appended), in flight (the driver has it), retired (its end was seen; what its tasks
// used is let go) and back to open. The queue's lock guards all of it, except that a waiter may use the fence of a batch that
// it has referenced.

#ifndef MEZ_QUEUE_BATCH_H
#define MEZ_QUEUE_BATCH_H

#include "queue/queue.h"

typedef struct mez_batch mez_batch;

// A growing list of things that a batch keeps alive.
typedef struct mez_batch_list {
    void **items;
    uint32_t count;
    uint32_t capacity;
} mez_batch_list;

struct mez_batch {
    uint32_t ref; // the queue's, and one for each waiter; guarded by the queue's lock
    mez_queue *queue;
    ze_command_list_handle_t list;
    ze_fence_handle_t fence;

    uint64_t first_task;
    uint64_t last_task;
    uint32_t task_count;
    bool retired;

    mez_batch_list kernels; // mez_kernel, referenced
    mez_batch_list events;  // mez_event, referenced: signalled by a task of the batch
    mez_batch_list waits;   // mez_event, referenced: waited for by a task of the batch
    mez_batch_list
        modules; // mez_module whose kernels in this batch can assert, each once; alive with the kernels

    void *records;            // USM host memory of the hooks, kept over the batch's lives
    uint32_t record_capacity; // in modules

    mez_batch *next; // in the queue's list
};

// What is done for batches whose kernels can assert, by a folder above this one.
typedef struct mez_batch_hooks {
    // The batch is about to be closed: appends what brings the asserts' records to the host.
    mez_error (*closing)(mez_batch *batch);
    // The batch has run: looks at the records. The caller holds the queue's lock.
    mez_error (*retiring)(mez_batch *batch);
    // The batch is freed.
    void (*freeing)(mez_batch *batch);
} mez_batch_hooks;

mez_error mez_batch_create(mez_queue *queue, ze_command_queue_handle_t ze, mez_batch **batch);
void mez_batch_destroy(mez_batch *batch);

// Makes room for the references of one more task, so that noting it can't fail once the driver has taken it.
mez_error mez_batch_reserve(mez_batch *batch, uint32_t wait_count);
// Notes a task that has been appended, and takes the references.
void mez_batch_note(mez_batch *batch, const mez_task *task, uint64_t number);

// Lets go of everything the tasks used. `outcome` is what the waiters of their events are told.
void mez_batch_let_go(mez_batch *batch, mez_error outcome);

#endif
