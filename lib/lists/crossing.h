// SPDX-License-Identifier: MIT
//
// A barrier across the immediate lists of a queue out of order: the first one waits for what the others signal, then they for it.

#ifndef MEZ_LISTS_CROSSING_H
#define MEZ_LISTS_CROSSING_H

#include "queue/queue.h"

// As many as Unified Runtime found best; a power of two.
#define MEZ_CROSSED_LISTS 4

// Appends the task, which does nothing, to so many lists, and counts it. *last is the event of the last barrier, which the lists may
// still wait for; NULL: there was none. It is replaced by this one's, referenced. The caller holds the queue's lock.
mez_error mez_crossing_append(mez_queue *queue, const mez_task *task,
    const ze_command_list_handle_t *lists, mez_event **last);

#endif
