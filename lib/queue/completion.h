// SPDX-License-Identifier: MIT
//
// The completion thread of a context: sees the end of tasks that may have something to report even when the user waits for
// nothing, calls the functions of mez_event_set_callback, and runs host tasks and what is held behind them. The first use
// starts it, so that programs without asserts, callbacks and host tasks have no thread.
//
// The thread looks at everything it watches, one after the other, and never waits for one alone: what has ended is reported at
// once, whatever else is still running. When a round brings nothing it sleeps, at most an eighth of the time since something
// last ended and never more than a millisecond.

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

// Calls the function once, for the queue. False: no memory, or no thread.
bool mez_completion_call(
    struct mez_completion *completion, mez_queue *queue, void (*function)(void *data), void *data);

// Releases the tasks that the queue holds, one after the other, until there are none. False: no memory, or no thread.
// The caller holds the queue's lock.
bool mez_completion_watch_deferred(struct mez_completion *completion, mez_queue *queue);

// Waits until the condition is true. Who makes it true calls mez_completion_tell afterwards. MEZ_ERRC_TIMEOUT without a story;
// MEZ_ERRC_WRONG_STATE where the caller is the completion thread itself, which would wait for its own work.
mez_error mez_completion_wait(struct mez_completion *completion,
    bool (*is_true)(const void *subject), const void *subject, mez_deadline deadline);
void mez_completion_tell(struct mez_completion *completion);

// Something to wake the thread with, from anywhere and also when the context is gone. A reference for each use: one call of
// mez_waker_wake, which a driver may make as its host function, or mez_waker_unref.
struct mez_waker;
struct mez_waker *mez_completion_waker(struct mez_completion *completion);
void mez_waker_wake(void *waker);
void mez_waker_unref(struct mez_waker *waker);

// Is the caller a function that the thread calls for this queue?
bool mez_completion_serves(struct mez_completion *completion, const mez_queue *queue);

// Returns when no task of the queue is watched or held any more, and no function for one is called, except the one that calls
// this. The queue's tasks are over, or its device is lost.
void mez_completion_forget(struct mez_completion *completion, mez_queue *queue);

#endif
