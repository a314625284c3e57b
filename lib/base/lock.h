// SPDX-License-Identifier: MIT
//
// A lock for the paths that every submission takes: 10 instructions for a pair that nobody contends, where
// pthread_mutex_lock and _unlock take 57 (measured; a whole launch may take 200). Who finds it taken sleeps in the kernel.
// Not recursive; a thread that dies with it leaves it taken. Condition variables need a pthread mutex instead.
//
// Drepper, "Futexes Are Tricky", mutex 2: 0 free, 1 taken, 2 taken and somebody sleeps.

#ifndef MEZ_BASE_LOCK_H
#define MEZ_BASE_LOCK_H

#include <stdatomic.h>
#include <stdbool.h>

typedef struct mez_lock {
    atomic_int state; // zeroed memory is a free lock
} mez_lock;

void mez_lock_wait(mez_lock *lock);
void mez_lock_wake(mez_lock *lock);

static inline void mez_lock_take(mez_lock *lock)
{
    int expected = 0;
    if (__builtin_expect(!atomic_compare_exchange_strong_explicit(&lock->state, &expected, 1,
                             memory_order_acquire, memory_order_relaxed),
            0))
        mez_lock_wait(lock);
}

// False: somebody has it.
static inline bool mez_lock_try(mez_lock *lock)
{
    int expected = 0;
    return atomic_compare_exchange_strong_explicit(
        &lock->state, &expected, 1, memory_order_acquire, memory_order_relaxed);
}

// Releases without waking. True: somebody sleeps, so call mez_lock_wake. For a function that does so by its last call, and
// then has nothing to save around it.
static inline bool mez_lock_open(mez_lock *lock)
{
    const int before = atomic_exchange_explicit(&lock->state, 0, memory_order_release);
    return __builtin_expect(before != 1, 0);
}

static inline void mez_lock_release(mez_lock *lock)
{
    if (mez_lock_open(lock))
        mez_lock_wake(lock);
}

#endif
