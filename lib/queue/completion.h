// SPDX-License-Identifier: MIT
//
// The completion thread of a context: sees the end of tasks that may have something to report even when the user waits for
// nothing, and calls the functions of mez_event_set_callback. The first use starts it, so that programs without asserts and
// callbacks have no thread.

#ifndef MEZ_QUEUE_COMPLETION_H
#define MEZ_QUEUE_COMPLETION_H

#include "queue/queue.h"

// NULL: no memory.
struct mez_completion *mez_completion_create(void);

// Stops the thread and frees it. Every queue is gone. NULL is accepted. The thread itself may call this, with the last
// reference to an event.
void mez_completion_destroy(struct mez_completion *completion);

// Waits for a task of a queue beside the user. Where there is no memory or no thread the user's own waits still report.
// The caller holds the queue's lock.
void mez_completion_watch(struct mez_completion *completion, mez_queue *queue, uint64_t task);

// Returns when no task of the queue is watched any more, and no function for one is called, except the one that calls this.
// The queue's tasks are over, or its device is lost.
void mez_completion_forget(struct mez_completion *completion, mez_queue *queue);

#endif
