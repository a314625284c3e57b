// SPDX-License-Identifier: MIT
//
// An event outlives its queue, and so any thread may come by to wait for a task while another destroys the queue. Waiters are
// counted, so that the queue's kind stays until the last of them has left; who comes later finds the door closed, and with it
// every task over.

#ifndef MEZ_QUEUE_WAITERS_H
#define MEZ_QUEUE_WAITERS_H

#include <stdatomic.h>
#include <stdbool.h>

// How many are inside, and whether more may come. Zeroed memory is open, and nobody is inside.
typedef atomic_uint mez_waiters;

#define MEZ_WAITERS_CLOSED 0x80000000u

static inline void mez_waiters_leave(mez_waiters *waiters)
{
    atomic_fetch_sub_explicit(waiters, 1, memory_order_release);
}

// False: it is closed.
static inline bool mez_waiters_enter(mez_waiters *waiters)
{
    if (!(atomic_fetch_add_explicit(waiters, 1, memory_order_acquire) & MEZ_WAITERS_CLOSED))
        return true;
    mez_waiters_leave(waiters);
    return false;
}

// Lets nobody in any more, and waits until all have left. What they wait for has happened.
void mez_waiters_close(mez_waiters *waiters);

#endif
