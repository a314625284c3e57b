// SPDX-License-Identifier: MIT
//
// Tasks that the runtime holds back: host tasks until they have run, and device tasks that come after one. The driver gets a
// task only when nothing on the host stands before it, so no command list ever waits for the host: such lists hang appends
// on some drivers and are killed as hung by others (docs/internals/drivers.md#commands-that-wait-for-the-host).
//
// A task is held when it is a host task, when it waits for an event of a held task, or when the order of its queue puts it
// behind a held task. Held tasks are released by the completion thread, in an in-order queue one after the other, in an
// out-of-order queue each when its own events allow, but for barriers.

#ifndef MEZ_QUEUE_DEFERRED_H
#define MEZ_QUEUE_DEFERRED_H

#include <stdint.h>

#include "event/event.h"
#include "task/command.h"

struct mez_queue;
struct mez_task;
struct mez_deferred_task;

// What a queue holds; guarded by its lock.
typedef struct mez_deferred_tasks {
    struct mez_deferred_task *first; // in order of submission
    struct mez_deferred_task *last;
    uint32_t
        barriers; // among them, in an out-of-order queue: what is submitted now stays behind them
    bool watched; // the completion thread looks at them
    bool running; // a host function
} mez_deferred_tasks;

// What came of a turn of the completion thread.
typedef enum mez_turn {
    MEZ_TURN_IDLE, // nothing
    MEZ_TURN_MORE, // something, and it is not over
    MEZ_TURN_OVER,
} mez_turn;

// Must the runtime hold this task back? The caller holds the lock.
bool mez_queue_must_defer(const struct mez_queue *queue, const struct mez_task *task);

// Holds a task whose command has been checked and prepared, and takes over the task's reference to its event unless it fails. The
// caller holds the lock.
// Errors: MEZ_ERRC_OUT_OF_HOST_MEMORY: no memory, or no completion thread.
mez_error mez_queue_defer(struct mez_queue *queue, const struct mez_task *task);

// A turn of the completion thread, without locks: releases or runs what has nothing before it any more.
mez_turn mez_queue_release_deferred(struct mez_queue *queue);

// Waits until no task is held that is held now. Errors: as mez_completion_wait.
mez_error mez_queue_wait_for_deferred(struct mez_queue *queue, mez_deadline deadline);

#endif
