// SPDX-License-Identifier: MIT
//
// An event outlives its queue, and so any thread may come by to wait for a task while another destroys the queue. Visitors are
// counted, so that the queue's kind stays until the last of them has left; who comes later finds the door closed, and with it
// every task over.

#ifndef MEZ_QUEUE_VISITORS_H
#define MEZ_QUEUE_VISITORS_H

#include <stdatomic.h>
#include <stdbool.h>

// How many are inside, and whether more may come. Zeroed memory is open, and nobody is inside.
typedef atomic_uint mez_visitors;

#define MEZ_VISITORS_CLOSED 0x80000000u

static inline void mez_visitors_leave(mez_visitors *visitors)
{
    atomic_fetch_sub_explicit(visitors, 1, memory_order_release);
}

// False: it is closed.
static inline bool mez_visitors_enter(mez_visitors *visitors)
{
    if (!(atomic_fetch_add_explicit(visitors, 1, memory_order_acquire) & MEZ_VISITORS_CLOSED))
        return true;
    mez_visitors_leave(visitors);
    return false;
}

// Lets nobody in any more, and waits until all have left. What they wait for has happened.
void mez_visitors_close(mez_visitors *visitors);

#endif
