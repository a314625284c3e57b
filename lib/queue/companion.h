// SPDX-License-Identifier: MIT
//
// Companions: a queue has one on the device's other engine as soon as there is work for that. It is a queue like any other, of
// the same kind and order, which the user never sees.
//
// In an in-order queue on the copy engine that is a fill with a pattern which the copy engine can't take. Barriers and events
// keep its place in the order:
//
//     queue:       ... task, signal a                      wait b, task ...
//     companion:                      wait a, fill, signal b
//
// In an out-of-order queue on any engine it is a large copy between host and device, which then runs beside kernels. Such a copy
// waits for nothing but its own events; a barrier of the queue covers the companion as well. A queue in order would gain
// nothing, as nothing of it runs beside anything else.
//
// Events of such tasks belong to the companion. Waits for the queue wait for it too; frees see it, as it has a timeline of its
// own. Whoever holds both locks has taken the queue's first.

#ifndef MEZ_QUEUE_COMPANION_H
#define MEZ_QUEUE_COMPANION_H

#include "queue/queue.h"

#define MEZ_LARGE_COPY ((size_t)1 << 20) // bytes from which on a copy goes to the copy engine

static inline mez_queue *mez_companion_of(const mez_queue *queue)
{
    return atomic_load_explicit(&queue->companion, memory_order_acquire);
}

// Does the queue run tasks where a barrier in one command list does not reach?
static inline bool mez_queue_is_spread(const mez_queue *queue)
{
    return queue->several_lists || (!queue->in_order && mez_companion_of(queue));
}

// Makes the companion if there is none. The lock is not held. Errors: as mez_queue_create.
mez_error mez_companion_make(mez_queue *queue);

// Does the command need more than an append to the queue itself?
static inline bool mez_companion_concerns(const mez_queue *queue, const mez_command *command)
{
    if (command->kind == MEZ_COMMAND_NOTHING)
        return !queue->in_order && mez_companion_of(queue);
    return command->elsewhere;
}

// Appends such a command, or a barrier, to queue and companion. The caller holds the queue's lock.
mez_error mez_companion_append(mez_queue *queue, const mez_task *task);

#endif
