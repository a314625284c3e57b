// SPDX-License-Identifier: MIT
//
// How far the device has come with the tasks of a queue. Nothing is retired: these look, for descriptions and warnings.

#ifndef MEZ_QUEUE_PROGRESS_H
#define MEZ_QUEUE_PROGRESS_H

#include "queue/queue.h"

// The newest task that is known to have ended, with all before it. The caller holds the lock, here and below.
uint64_t mez_progress_known(const mez_queue *queue);

// Goes on from `reached` as far as the events of tasks show.
uint64_t mez_progress_follow(const mez_queue *queue, uint64_t reached);

// All that can be seen now: asks the driver, too, unless the queue is being destroyed.
uint64_t mez_progress_look(mez_queue *queue);

// Has the event of a task that the driver has happened?
bool mez_progress_has_happened(const mez_event *event);

#endif
