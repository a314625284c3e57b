// SPDX-License-Identifier: MIT
//
// Being told by the driver that a queue has come to a place, in place of looking again and again. Only drivers with host
// functions can tell (specification 1.17), and only in-order lists have places.
//
// The driver calls from a thread of its own, which must not call Level Zero and must not be kept: the function may wake a
// thread and nothing else. It takes no lock that is held over a call to the driver.

#ifndef MEZ_QUEUE_WAKE_H
#define MEZ_QUEUE_WAKE_H

#include "queue/slow.h"

// The queue's list if it is in order; NULL: it is not. Holding tasks or being traced does not take it away. The caller holds the lock.
static inline ze_command_list_handle_t mez_queue_list_to_wake_from(const mez_queue *queue)
{
    const bool usable =
        !mez_queue_is(queue, MEZ_SLOW_ABANDONED | MEZ_SLOW_LOST | MEZ_SLOW_DESTROYED);
    return usable ? queue->list : NULL;
}

// Can this queue's driver tell? The caller holds the lock.
static inline bool mez_queue_can_wake(const mez_queue *queue)
{
    return queue->platform->caps.host_functions && mez_queue_list_to_wake_from(queue);
}

// Has `function` called with `data` once everything that the driver has of the queue now has ended. It is no task: it has no number, and no
// event waits for it. `data` must live until the call, which never comes when the device is lost before. The caller holds the
// queue's lock.
//
// MEZ_ERRC_FEATURE_NOT_SUPPORTED: mez_queue_can_wake says no. What the driver says: the function will not be called.
mez_error mez_queue_append_wake(mez_queue *queue, mez_ze_host_function *function, void *data);

#endif
