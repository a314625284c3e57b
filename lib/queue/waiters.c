// SPDX-License-Identifier: MIT

#include "queue/waiters.h"

#include <time.h>

// Waiters need no more than a few instructions, or a look at what has ended: not worth a wake.
void mez_waiters_close(mez_waiters *waiters)
{
    static const struct timespec moment = {.tv_nsec = 10000};
    atomic_fetch_or_explicit(waiters, MEZ_WAITERS_CLOSED, memory_order_acquire);
    while (atomic_load_explicit(waiters, memory_order_acquire) != MEZ_WAITERS_CLOSED)
        nanosleep(&moment, NULL);
}
