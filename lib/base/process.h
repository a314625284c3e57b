// SPDX-License-Identifier: MIT
//
// What all of the process has in common: variables that every path reads, and the host's clock, on which waits, traces and times of
// tasks agree.
//
// Thread-safety: safe.

#ifndef MEZ_BASE_PROCESS_H
#define MEZ_BASE_PROCESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "base/error.h"

// A compiler can't know that an extern variable is the library's own, and would read its address first; one that is declared hidden
// is read where it lies.
#define MEZ_HIDDEN __attribute__((visibility("hidden")))

// Nanoseconds of CLOCK_MONOTONIC.
static inline uint64_t mez_time_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

// --- Without a driver
//
// No Level Zero driver works in a child of fork(): its threads, its connection to the kernel and what it has mapped stay with the parent.
// And once the program ends, the driver does. Calls are refused then, and calls that destroy something leave it alone. Quick paths pay
// nothing for that: they are closed, and the ways behind them ask. docs/internals/architecture.md, "Without a driver".

typedef enum mez_process_state {
    MEZ_PROCESS_RUNS,
    MEZ_PROCESS_FORKED, // from a process that had initialised a driver
    MEZ_PROCESS_ENDS    // and drivers have ended, or soon will have
} mez_process_state;

MEZ_HIDDEN extern atomic_uchar mez_process;

static inline bool mez_process_is_closed(void)
{
    return __builtin_expect(
        atomic_load_explicit(&mez_process, memory_order_relaxed) != MEZ_PROCESS_RUNS, 0);
}

// Returns the error where it is so. For functions without a quick path, or behind it.
#define MEZ_REFUSE_CLOSED(function, where)            \
    do {                                              \
        if (mez_process_is_closed())                  \
            return mez_error_closed(where, function); \
    } while (0)

// A driver is about to be initialised.
void mez_process_note_driver(void);

// The process has just been forked off, and is this thread alone. False: it may do what it likes, as there was no driver.
bool mez_process_note_fork(void);

// A fork finds the lock, a pthread_mutex_t of this file's, free, so that the child can use what it guards. `order`: handlers that are
// registered later are called earlier, and locks under which others are taken come first.
#define MEZ_FREE_AT_FORK(lock, order)                                  \
    static void lock##_take(void)                                      \
    {                                                                  \
        pthread_mutex_lock(&lock);                                     \
    }                                                                  \
    static void lock##_let_go(void)                                    \
    {                                                                  \
        pthread_mutex_unlock(&lock);                                   \
    }                                                                  \
    __attribute__((constructor(order))) static void lock##_watch(void) \
    {                                                                  \
        pthread_atfork(lock##_take, lock##_let_go, lock##_let_go);     \
    }

#define MEZ_FORK_INNER 200 // nothing else is taken under the lock
#define MEZ_FORK_OUTER 201

#endif
