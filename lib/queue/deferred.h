// SPDX-License-Identifier: MIT
//
// Tasks that the library defers: host tasks until they have run, and device tasks that come after one. The driver gets a
// task only when nothing on the host stands before it, so no command list ever waits for the host: such lists hang appends
// on some drivers and are killed as hung by others (docs/internals/drivers.md#commands-that-wait-for-the-host).
//
// A task is deferred when it is a host task, when it waits for the event of a deferred task or for one that the program has not
// signalled, or when the order of its queue puts it behind a deferred task. The completion thread releases them, in an in-order queue
// one after the other, in an out-of-order queue each when its own events allow, except barriers, native tasks and replays, which
// come after all before them.

#ifndef MEZ_QUEUE_DEFERRED_H
#define MEZ_QUEUE_DEFERRED_H

#include <stdint.h>

#include "event/event.h"
#include "task/command.h"

struct mez_queue;
struct mez_task;

// The deferred tasks of a queue; guarded by its lock.
typedef struct mez_deferred_tasks {
    struct mez_task *first; // in order of submission
    struct mez_task *last;
    // Barriers and native tasks among them, in an out-of-order queue: what is submitted now stays behind them.
    uint32_t barriers;
    bool watched;            // the completion thread looks at them
    bool running;            // a host function
    struct mez_task *unused; // memory for the next ones, BLOCK_SIZE bytes each
    uint32_t unused_count;
} mez_deferred_tasks;

// Nothing is deferred any more, and the queue is going.
void mez_deferred_finish(mez_deferred_tasks *deferred);

// Part of mez_queue_must_defer, for a task that may have to be.
bool mez_queue_stays_behind(const struct mez_queue *queue, const struct mez_task *task);

// Defers a task whose command has been checked and prepared, and takes over the task's reference to its event unless it fails. The
// caller holds the lock.
// Errors: MEZ_ERRC_OUT_OF_HOST_MEMORY: no memory, or no completion thread.
mez_error mez_queue_defer(struct mez_queue *queue, const struct mez_task *task);

// The task is the driver's now, or over, or lost: it leaves the list. The caller holds the lock.
void mez_queue_let_go_deferred(struct mez_queue *queue, struct mez_task *task, mez_error outcome);

// Waits until no task is deferred that is deferred now. Errors: as mez_completion_wait.
mez_error mez_queue_wait_for_deferred(struct mez_queue *queue, mez_deadline deadline);

// Has `function` called with `data` once everything that the driver has of the queue now has ended. It is not a task: it has no
// number, and no event waits for it. `data` must live until the call, which never comes when the device is lost before. The caller
// holds the queue's lock.
//
// MEZ_ERRC_FEATURE_NOT_SUPPORTED: this queue's driver can't do that. What the driver says: the function will not be called.
mez_error mez_queue_append_wake(
    struct mez_queue *queue, ze_newer_host_function_t *function, void *data);

#endif
