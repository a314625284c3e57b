// SPDX-License-Identifier: MIT
//
// Queues with an error handler. The completion thread watches their tasks, so that an error is noticed though nobody waits, and
// calls the handler once for each. A queue without one pays for no more than a look at whether it has one where a task or a batch
// goes to the driver: a queue with one has no quick paths, which watch nothing.

#ifndef MEZ_QUEUE_HANDLER_H
#define MEZ_QUEUE_HANDLER_H

#include "queue/queue.h"

// Gives the queue a handler, if `wanted` or its context is one.
// Errors: MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_handling_create(mez_queue *queue, const mez_error_handler *wanted);

// Gives a companion that is being made the handler of its queue, if it has one. Errors: the same.
mez_error mez_handling_share(mez_queue *companion, const mez_queue *queue);

// The driver has another task of the queue, which may be one without a handler. The caller holds the lock.
void mez_handling_watch_newest(mez_queue *queue);
static inline void mez_handling_watch(mez_queue *queue)
{
    if (__builtin_expect(queue->handling != NULL, 0))
        mez_handling_watch_newest(queue);
}

void mez_handling_destroy(mez_queue *queue);

// Has the handler been told of this error, or will it be? Of a lost device it will be from then on. The caller holds the queue's
// lock, here and below, and the queue has a handler.
bool mez_handling_knows(mez_queue *queue, mez_error error);

// The queue has kept the error: has the handler called with it, and notes it for the next wait.
void mez_handling_keep(mez_queue *queue, mez_error error);

// How many of the queue's errors no call of a handler is on its way for: all of them where it has none, else those that no
// call could be made for, as there was no memory or no thread. The queue may be one without a handler.
uint32_t mez_handling_left_over(const mez_queue *queue);

// What the next wait returns, with its reference, and no other wait does.
mez_error mez_handling_take_for_wait(mez_queue *queue);
bool mez_handling_has_for_wait(const mez_queue *queue);

// The user has been told of it by other means than the handler: no wait returns it.
void mez_handling_forget_for_wait(mez_queue *queue, mez_error error);

// Returns when the handler has been called with everything. True: it has submitted more to the queue, whose tasks had ended.
// The lock is not held, here and below, and the queue may be one without a handler.
bool mez_handling_finish_calls(mez_queue *queue);

// The queue is being destroyed: the handler is called no more.
void mez_handling_end(mez_queue *queue);

#endif
