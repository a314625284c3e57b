// SPDX-License-Identifier: MIT
//
// Stopping a build from another thread: its programs are killed, and it cleans up and returns. The library installs no signal
// handler; a program that wants to end well on SIGINT lets a thread wait for it with sigwait, which then calls mez_build_stop_now
// (that takes a lock, so a handler can't).
//
// Thread-safety: safe.

#ifndef MEZ_BUILD_STOP_H
#define MEZ_BUILD_STOP_H

#include <pthread.h>
#include <stdbool.h>
#include <sys/types.h>

#include "base/check.h"

// Most programs at a time.
#define MEZ_BUILD_MOST_JOBS 256

typedef struct mez_build_stop {
    pthread_mutex_t lock; // guards all below
    bool wanted;
    // Leaders of process groups. None has been reaped, so that no number belongs to somebody else.
    pid_t children[MEZ_BUILD_MOST_JOBS];
    unsigned count;
} mez_build_stop;

#define MEZ_BUILD_STOP_INIT               \
    {                                     \
        .lock = PTHREAD_MUTEX_INITIALIZER \
    }

// Kills what runs; whatever would be started from now on is not.
void mez_build_stop_now(mez_build_stop *stop);
bool mez_build_is_stopped(mez_build_stop *stop);

// MEZ_ERRC_WRONG_STATE: what a build returns that was stopped.
mez_error mez_build_stopped(void);

#endif
