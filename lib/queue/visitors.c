// SPDX-License-Identifier: MIT

#include "queue/visitors.h"

#include <time.h>

// Visitors need no more than a few instructions, or a look at what has ended: not worth a wake.
void mez_visitors_close(mez_visitors *visitors)
{
    static const struct timespec moment = {.tv_nsec = 10000};
    atomic_fetch_or_explicit(visitors, MEZ_VISITORS_CLOSED, memory_order_acquire);
    while (atomic_load_explicit(visitors, memory_order_acquire) != MEZ_VISITORS_CLOSED)
        nanosleep(&moment, NULL);
}
