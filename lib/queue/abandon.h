// SPDX-License-Identifier: MIT
//
// Queues that are abandoned: a kernel hangs behind an assert that failed, and the user has been told. Every wait and every
// submission returns that error from then on. What the device still uses (lists, kernels, memory) stays as it is until the
// process ends, and so does the context's part of the driver; other queues go on.

#ifndef MEZ_QUEUE_ABANDON_H
#define MEZ_QUEUE_ABANDON_H

#include "queue/slow.h"

// Nobody holds the queue's lock. Only the first error counts.
void mez_queue_abandon(mez_queue *queue, mez_error error);

static inline bool mez_queue_is_abandoned(const mez_queue *queue)
{
    return mez_queue_is(queue, MEZ_SLOW_ABANDONED);
}

// Why it was; success where it was not.
static inline mez_error mez_queue_why_abandoned(const mez_queue *queue)
{
    return mez_queue_is_abandoned(queue) ? queue->why_abandoned : mez_ok();
}

#endif
