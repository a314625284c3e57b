// SPDX-License-Identifier: MIT
//
// Errors of a queue's tasks on their way to the user: kept until a wait, mez_queue_take_error or the handler takes them.

#ifndef MEZ_QUEUE_ERRORS_H
#define MEZ_QUEUE_ERRORS_H

#include <mezzanine/queue.h>

// --- Errors that nobody has received yet, in the order in which they were noticed. They need no memory of their own, so that
// none is lost for lack of it.

#define MEZ_MOST_FAILURES 64

typedef struct mez_failures {
    mez_error kept[MEZ_MOST_FAILURES]; // retained, in a ring
    uint32_t first;                    // the oldest
    uint32_t count;
    uint32_t dropped; // there was no room for them
} mez_failures;

// Takes the oldest out, whose reference is the caller's now; success: there is none. The story of the newest, which is taken last,
// says how many more there were.
mez_error mez_failures_take(mez_failures *failures);

// Of two failures without a story, as when there was no memory, nobody knows whether they are one.
static inline bool mez_error_is_same(mez_error a, mez_error b)
{
    return a.value == b.value && a.origin == b.origin && a.origin >> 8 != 0;
}

// --- The queue's

// Keeps the error of a task until the user has received it, by the handler if the queue has one. The caller holds the lock.
void mez_queue_keep_error(mez_queue *queue, mez_error error);

// The completion thread, or a wait that nobody is behind, has seen this: for the handler, if there is one.
void mez_queue_report(mez_queue *queue, mez_error error);

// The user has received it from the task's event: no wait returns it any more.
void mez_queue_forget_error(mez_queue *queue, mez_error error);

// It was the submission's own, which returns it: not kept any more, if it was. The caller holds the lock.
void mez_queue_take_back_error(mez_queue *queue, mez_error error);

// What to report to the user now: the oldest error that is kept, else `failure`.
__attribute__((cold)) mez_error mez_queue_report_kept(mez_queue *queue, mez_error failure);

// Tasks have ended: ends the frees that waited for them, and keeps what a checked context has found in its memory as errors of the
// queue, for its handler or the wait that has noticed it. The lock is not held.
__attribute__((cold)) void mez_queue_sweep_now(mez_queue *queue);

// Logs an error that nobody receives, except the loss of a device, which was logged when it was noticed.
void mez_queue_log_unreported(const mez_queue *queue, mez_error error);

// --- Handlers. The completion thread watches the tasks of a queue that has one, so that an error is noticed though nobody waits, and
// calls the handler once for each. A queue without one pays for no more than a look at whether it has one where a task or a batch
// goes to the driver: a queue with one has no quick paths, which watch nothing.

// Gives the queue a handler, if `wanted` or its context is one.
// Errors: MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_handling_create(mez_queue *queue, const mez_error_handler *wanted);

// Gives a companion that is being made the handler of its queue, if it has one. Errors: the same.
mez_error mez_handling_share(mez_queue *companion, const mez_queue *queue);

void mez_handling_destroy(mez_queue *queue);

// Returns when the handler has been called with everything. True: it has submitted more to the queue, whose tasks had ended.
// The lock is not held, here and below, and the queue may be one without a handler.
bool mez_handling_finish_calls(mez_queue *queue);

// The queue is being destroyed: the handler is called no more.
void mez_handling_end(mez_queue *queue);

// --- Queues that are abandoned: a kernel hangs behind an assert that failed, and the user has received the error. Every wait and every
// submission returns that error from then on. What the device still uses (lists, kernels, memory) stays as it is until the
// process ends, and so does the context's part of the driver; other queues go on.

// Nobody holds the queue's lock. Only the first error counts.
void mez_queue_abandon(mez_queue *queue, mez_error error);

#endif
