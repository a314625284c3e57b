// SPDX-License-Identifier: MIT
//
// What a queue is at, in words: the oldest task that the device has, what is deferred, and what they wait for.

#ifndef MEZ_QUEUE_DESCRIBE_H
#define MEZ_QUEUE_DESCRIBE_H

#include "queue/queue.h"

// What mez_queue_describe returns. The caller holds no queue's lock.
void mez_queue_describe_to(mez_queue *queue, mez_text *text);

// Adds a task that has not ended, as the oldest, with its age and how many are behind it. The caller holds the lock.
void mez_queue_describe_oldest(const mez_queue *queue, uint64_t oldest, mez_text *text);

#endif
