// SPDX-License-Identifier: MIT

#include "base/lock.h"

#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

static void futex(mez_lock *lock, int operation, int value)
{
    syscall(SYS_futex, &lock->state, operation | FUTEX_PRIVATE_FLAG, value, NULL, NULL, 0);
}

void mez_lock_wait(mez_lock *lock)
{
    while (atomic_exchange_explicit(&lock->state, 2, memory_order_acquire) != 0)
        futex(lock, FUTEX_WAIT, 2);
}

void mez_lock_wake(mez_lock *lock)
{
    futex(lock, FUTEX_WAKE, 1);
}
