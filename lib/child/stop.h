// SPDX-License-Identifier: MIT
//
// Stopping work from another thread: the programs that it has started are killed, and it cleans up and returns. The library
// installs no signal handler; a program that wants to end well on SIGINT wakes a thread, which then calls mez_stop_now (that takes
// a lock, so a handler can't).
//
// Thread-safety: safe.

#ifndef MEZ_CHILD_STOP_H
#define MEZ_CHILD_STOP_H

#include <pthread.h>
#include <stdbool.h>
#include <sys/types.h>

#include <mezzanine/stop.h>

#include "base/check.h"

// Most programs at a time.
#define MEZ_MOST_CHILDREN 256

struct mez_stop {
    pthread_mutex_t lock; // guards all below
    bool wanted;
    // Leaders of process groups. None has been reaped, so that no number belongs to somebody else.
    pid_t children[MEZ_MOST_CHILDREN];
    unsigned count;
};

#define MEZ_STOP_INIT                     \
    {                                     \
        .lock = PTHREAD_MUTEX_INITIALIZER \
    }

// What mez_thread_set_stop has set.
mez_stop *mez_stop_of_thread(void);

// MEZ_ERRC_WRONG_STATE: what work returns that was stopped. `what` was: "the build of app", or a program by its path.
mez_error mez_stopped(const char *what);

#endif
