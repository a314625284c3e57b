// SPDX-License-Identifier: MIT
//
// Whatever makes a queue need more for a task than an append to its list is a bit of one mask. The quick paths look at nothing but
// queue->in_order_list, which is there while the mask is 0.

#ifndef MEZ_QUEUE_SLOW_H
#define MEZ_QUEUE_SLOW_H

#include "queue/queue.h"

typedef enum mez_slow {
    MEZ_SLOW_TRACED = 1 << 0,    // tools are notified of its tasks: traced.h
    MEZ_SLOW_UNWATCHED = 1 << 1, // it has an error handler, and nobody watches its newest task
    MEZ_SLOW_DEFERS = 1 << 2,    // it has deferred tasks, which nothing may pass: deferred.h
    MEZ_SLOW_ABANDONED = 1 << 3, // its device hangs: errors.h
    MEZ_SLOW_LOST = 1 << 4,      // a device of its context is lost
    MEZ_SLOW_DESTROYED = 1 << 5, // by the user; events and prepared launches still refer to it
    MEZ_SLOW_VALIDATED = 1 << 6, // its copies and fills are checked: submit/ranges.h
    MEZ_SLOW_DOZES = 1 << 7,     // frees do not look at it, and it must be woken
    MEZ_SLOW_CLOSED = 1 << 8,    // the process has no driver any more: base/process.h
} mez_slow;

static inline bool mez_queue_is(const mez_queue *queue, mez_slow reason)
{
    return __builtin_expect(
        atomic_load_explicit(&queue->slow, memory_order_acquire) & (unsigned)reason, 0);
}

// May be called with and without the queue's lock.
static inline void mez_queue_slow_down(mez_queue *queue, mez_slow reason)
{
    atomic_fetch_or(&queue->slow, (unsigned)reason);
    atomic_store(&queue->in_order_list, NULL);
}

// The reason is gone. The caller holds the queue's lock. Another thread that slows the queue down meanwhile has either set its bit
// before the second look here, or hides the list after this has shown it.
static inline void mez_queue_speed_up(mez_queue *queue, mez_slow reason)
{
    if (atomic_fetch_and(&queue->slow, ~(unsigned)reason) != (unsigned)reason)
        return;
    atomic_store(&queue->in_order_list, queue->list);
    if (atomic_load(&queue->slow) != 0)
        atomic_store(&queue->in_order_list, NULL);
}

// The kind has the list from now on, or none. The second look is for other threads, as in mez_queue_speed_up. The caller holds the
// lock, or is alone.
static inline void mez_queue_show_list(mez_queue *queue, ze_command_list_handle_t list)
{
    queue->list = list;
    if (atomic_load(&queue->slow) == 0)
        atomic_store(&queue->in_order_list, list);
    if (atomic_load(&queue->slow) != 0)
        atomic_store(&queue->in_order_list, NULL);
}

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
