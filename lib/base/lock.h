// SPDX-License-Identifier: MIT
//
// A lock for the paths that every submission takes: 4 instructions for a pair that nobody contends, where
// pthread_mutex_lock and _unlock take 57 (measured; a whole launch may take 200). Who finds it taken sleeps in the kernel.
// Not recursive; a thread that dies with it leaves it taken. Condition variables need a pthread mutex instead.
//
// As in Drepper, "Futexes Are Tricky", with a bit for each of what his mutex 2 has in one number: taken, and somebody may
// sleep. Each is set and cleared by one instruction.

#ifndef MEZ_BASE_LOCK_H
#define MEZ_BASE_LOCK_H

#include <stdatomic.h>
#include <stdbool.h>

typedef struct mez_lock {
    atomic_uint state; // zeroed memory is a free lock
} mez_lock;

#define MEZ_LOCK_TAKEN 1u
#define MEZ_LOCK_SLEPT_ON 2u

// Rare, and said to be: paths that come by here then keep nothing in registers for their sake.
__attribute__((cold)) void mez_lock_wait(mez_lock *lock);
__attribute__((cold)) void mez_lock_wake(mez_lock *lock);

// False: somebody has it.
static inline bool mez_lock_try(mez_lock *lock)
{
    return !(atomic_fetch_or_explicit(&lock->state, MEZ_LOCK_TAKEN, memory_order_acquire) &
             MEZ_LOCK_TAKEN);
}

static inline void mez_lock_take(mez_lock *lock)
{
    if (__builtin_expect(!mez_lock_try(lock), 0))
        mez_lock_wait(lock);
}

// Releases without waking. True: somebody sleeps, so call mez_lock_wake. For a function that does so by its last call, and
// then has nothing to save around it.
static inline bool mez_lock_open(mez_lock *lock)
{
    const int before =
        atomic_fetch_sub_explicit(&lock->state, MEZ_LOCK_TAKEN, memory_order_release);
    return __builtin_expect(before != MEZ_LOCK_TAKEN, 0);
}

static inline void mez_lock_release(mez_lock *lock)
{
    if (mez_lock_open(lock))
        mez_lock_wake(lock);
}

#endif
