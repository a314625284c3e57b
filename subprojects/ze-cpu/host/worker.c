// SPDX-License-Identifier: MIT
//
// The pool of threads. Whoever submits a job works on it, too; pool threads help. Threads take
// chunks of groups from the job until none is left.
#include "worker.h"

#include "execution.h"
#include "fault.h"
#include "thread.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

// Several chunks for each thread, so that uneven groups even out.
#define CHUNKS_PER_THREAD 8

// A job under way; lives on the submitter's stack.
struct work {
    struct zc_execution execution;
    uint64_t group_count;
    uint64_t chunk;
    _Atomic uint64_t next;  // first group that nobody took yet
    uint32_t helpers;       // pool threads at work on it; guarded by pool.lock
    struct work *following; // guarded by pool.lock
};

static struct {
    pthread_mutex_t lock; // guards what follows
    pthread_cond_t work_came;
    pthread_cond_t helper_left;
    struct work *first;
    uint32_t thread_count;
} pool = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL, 0};

struct zc_worker *zc_runner_worker(struct zc_runner *runner, const struct zc_engine *engine)
{
    if (!runner->scratch) {
        runner->engine = engine;
        runner->scratch = engine->worker_create();
    }
    return runner->scratch;
}

void zc_runner_finish(struct zc_runner *runner)
{
    if (runner->scratch)
        runner->engine->worker_destroy(runner->scratch);
    runner->scratch = NULL;
}

void zc_runner_note_loss(struct zc_runner *runner, unsigned loss)
{
    unsigned none = 0;
    atomic_compare_exchange_strong(&runner->loss, &none, loss);
}

static void set_group(struct zc_group *group, uint64_t index)
{
    group->group_id[0] = index % group->group_count[0];
    index /= group->group_count[0];
    group->group_id[1] = index % group->group_count[1];
    group->group_id[2] = index / group->group_count[1];
}

struct zc_group zc_job_group(const struct zc_job *job, uint64_t index, struct zc_watch *watch)
{
    struct zc_group group = job->group;
    set_group(&group, index);
    group.watch = watch;
    return group;
}

static bool run_chunk(
    const struct work *work, struct zc_worker *worker, struct zc_watch *watch, uint64_t first)
{
    const struct zc_job *job = work->execution.job;
    const uint64_t left = work->group_count - first;
    const struct zc_group group = zc_job_group(job, first, watch);
    return job->engine->run_groups(
        worker, job->kernel, &group, left < work->chunk ? left : work->chunk, job->blob);
}

static bool run_chunks(void *argument, struct zc_worker *worker, struct zc_watch *watch)
{
    struct work *work = argument;
    while (!atomic_load(&work->execution.failed)) {
        const uint64_t first = atomic_fetch_add(&work->next, work->chunk);
        if (first >= work->group_count)
            return true;
        if (!run_chunk(work, worker, watch, first))
            return false;
    }
    return true;
}

static void take_part(struct work *work, struct zc_runner *runner)
{
    zc_execution_take_part(&work->execution, runner, run_chunks, work);
}

static bool wants_help(struct work *work)
{
    return work->helpers + 1 < work->execution.job->thread_limit &&
           !atomic_load(&work->execution.failed) && atomic_load(&work->next) < work->group_count;
}

static struct work *find_work(void)
{
    struct work *work = pool.first;
    while (work && !wants_help(work))
        work = work->following;
    return work;
}

static void *help(void *unused)
{
    struct zc_runner runner = {.engine = NULL};
    zc_guard_work_for_device(true);
    pthread_mutex_lock(&pool.lock);
    for (;;) {
        struct work *work;
        while (!(work = find_work()))
            pthread_cond_wait(&pool.work_came, &pool.lock);
        work->helpers++;
        pthread_mutex_unlock(&pool.lock);
        take_part(work, &runner);
        pthread_mutex_lock(&pool.lock);
        if (--work->helpers == 0)
            pthread_cond_broadcast(&pool.helper_left);
    }
    return unused;
}

// Grows the pool to what the job may use. Fewer threads than wanted only make it slower.
static void start_threads(uint32_t wanted)
{
    pthread_t thread;
    while (pool.thread_count < wanted && zc_thread_start(&thread, "ze-cpu/worker", help, NULL)) {
        pthread_detach(thread);
        pool.thread_count++;
    }
}

static void announce(struct work *work)
{
    pthread_mutex_lock(&pool.lock);
    start_threads(work->execution.job->thread_limit - 1);
    work->following = pool.first;
    pool.first = work;
    if (work->group_count == 2)
        pthread_cond_signal(&pool.work_came);
    else
        pthread_cond_broadcast(&pool.work_came);
    pthread_mutex_unlock(&pool.lock);
}

// After this no thread of the pool touches the work.
static void withdraw(struct work *work)
{
    pthread_mutex_lock(&pool.lock);
    struct work **link = &pool.first;
    while (*link != work)
        link = &(*link)->following;
    *link = work->following;
    while (work->helpers)
        pthread_cond_wait(&pool.helper_left, &pool.lock);
    pthread_mutex_unlock(&pool.lock);
}

bool zc_job_run(const struct zc_job *job, struct zc_runner *runner)
{
    const uint64_t *counts = job->group.group_count;
    struct work work = {.group_count = counts[0] * counts[1] * counts[2]};
    work.chunk = work.group_count / ((uint64_t)job->thread_limit * CHUNKS_PER_THREAD);
    if (!work.chunk)
        work.chunk = 1;
    const bool shared = job->thread_limit > 1 && work.group_count > 1;
    zc_execution_begin(&work.execution, job);
    if (shared)
        announce(&work);
    take_part(&work, runner);
    if (shared)
        withdraw(&work);
    return zc_execution_end(&work.execution, runner);
}
