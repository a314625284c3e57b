// SPDX-License-Identifier: MIT
//
// The completion thread of a context: sees the end of tasks that may have something to report even when the user waits for
// nothing. The first such task starts it, so that programs without asserts have no thread.

#ifndef MEZ_QUEUE_COMPLETION_H
#define MEZ_QUEUE_COMPLETION_H

#include "queue/queue.h"

// NULL: no memory.
struct mez_completion *mez_completion_create(void);

// Stops the thread and frees it. Every queue is gone. NULL is accepted.
void mez_completion_destroy(struct mez_completion *completion);

// Waits for a task of a queue beside the user. Where there is no memory or no thread the user's own waits still report.
// The caller holds the queue's lock.
void mez_completion_watch(struct mez_completion *completion, mez_queue *queue, uint64_t task);

// Returns when no task of the queue is watched any more. The queue's tasks are over, or its device is lost.
void mez_completion_forget(struct mez_completion *completion, mez_queue *queue);

#endif
