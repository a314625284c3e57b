// SPDX-License-Identifier: MIT

#include "base/lock.h"

#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

static void futex(mez_lock *lock, int operation, unsigned value)
{
    syscall(SYS_futex, &lock->state, operation | FUTEX_PRIVATE_FLAG, value, NULL, NULL, 0);
}

// Whoever gets the lock here does not know whether others still sleep, and leaves the bit for his own release.
void mez_lock_wait(mez_lock *lock)
{
    const unsigned both = MEZ_LOCK_TAKEN | MEZ_LOCK_SLEPT_ON;
    while (atomic_fetch_or_explicit(&lock->state, both, memory_order_acquire) & MEZ_LOCK_TAKEN)
        futex(lock, FUTEX_WAIT, both);
}

// The lock is free except for the bit. Who has taken it meanwhile found the bit, and wakes somebody in our place.
void mez_lock_wake(mez_lock *lock)
{
    unsigned expected = MEZ_LOCK_SLEPT_ON;
    if (atomic_compare_exchange_strong_explicit(
            &lock->state, &expected, 0, memory_order_relaxed, memory_order_relaxed))
        futex(lock, FUTEX_WAKE, 1);
}
