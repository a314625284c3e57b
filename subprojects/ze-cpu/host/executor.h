// SPDX-License-Identifier: MIT
//
// Threads that do the work of commands for an out-of-order queue. One command may wait for another
// that started before it, so that none may keep the queue's own thread.
#ifndef ZE_CPU_EXECUTOR_H
#define ZE_CPU_EXECUTOR_H

#include "command.h"

#include <pthread.h>

struct zc_executor {
    struct zc_executor *next;
    pthread_t thread;
    pthread_mutex_t lock; // guards the following three
    pthread_cond_t work_came;
    const struct zc_command *command; // to be done next
    bool stop;
    struct zc_completion done;
    bool ok;   // how it went, when done
    bool busy; // for its owner to know
    struct zc_runner runner;
};

// `runner` is that of its queue. NULL: no memory or no threads.
struct zc_executor *zc_executor_create(const struct zc_runner *runner);
// Not while it is busy.
void zc_executor_destroy(struct zc_executor *executor);
void zc_executor_start(struct zc_executor *executor, const struct zc_command *command);
// Waits for at most `timeout` nanoseconds. True: the command is over, `ok` says how it went.
bool zc_executor_wait(struct zc_executor *executor, uint64_t timeout);

#endif
