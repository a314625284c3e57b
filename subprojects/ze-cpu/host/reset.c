// SPDX-License-Identifier: MIT
//
// The thread that resets.
#include "reset.h"

#include "loss.h"
#include "settings.h"
#include "sync.h"
#include "thread.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#define NS_PER_MS UINT64_C(1000000)
// How exact resets are.
#define NAP_NS (1 * NS_PER_MS)

static struct {
    pthread_mutex_t lock; // guards what follows
    pthread_cond_t work_came;
    struct zc_execution *first;
    bool has_thread;
} watched = {.lock = PTHREAD_MUTEX_INITIALIZER, .work_came = PTHREAD_COND_INITIALIZER};

static void reset(struct zc_execution *execution)
{
    char story[ZC_LOSS_TEXT];
    snprintf(story, sizeof story,
        "kernel \"%s\" was ended by a reset: it had run for %" PRIu64 " ms (ZE_CPU_RESET_MS)",
        execution->job->kernel->name, zc_settings.reset_ms);
    zc_execution_fail(execution, story);
}

static void *look(void *unused)
{
    pthread_mutex_lock(&watched.lock);
    for (;;) {
        while (!watched.first)
            pthread_cond_wait(&watched.work_came, &watched.lock);
        const uint64_t now = zc_now();
        for (struct zc_execution *e = watched.first; e; e = e->next)
            if (e->deadline <= now)
                reset(e);
        pthread_mutex_unlock(&watched.lock);
        nanosleep(&(struct timespec){.tv_nsec = NAP_NS}, NULL);
        pthread_mutex_lock(&watched.lock);
    }
    return unused;
}

// Without a thread there are no resets.
static void start_thread(void)
{
    pthread_t thread;
    if (watched.has_thread || !zc_thread_start(&thread, "ze-cpu/reset", look, NULL))
        return;
    pthread_detach(thread);
    watched.has_thread = true;
}

void zc_reset_watch(struct zc_execution *execution)
{
    if (!zc_settings.resets)
        return;
    execution->deadline = zc_now() + zc_settings.reset_ms * NS_PER_MS;
    pthread_mutex_lock(&watched.lock);
    start_thread();
    execution->next = watched.first;
    execution->link = &watched.first;
    if (watched.first)
        watched.first->link = &execution->next;
    watched.first = execution;
    pthread_cond_signal(&watched.work_came);
    pthread_mutex_unlock(&watched.lock);
}

void zc_reset_unwatch(struct zc_execution *execution)
{
    if (!zc_settings.resets)
        return;
    pthread_mutex_lock(&watched.lock);
    *execution->link = execution->next;
    if (execution->next)
        execution->next->link = execution->link;
    pthread_mutex_unlock(&watched.lock);
}
