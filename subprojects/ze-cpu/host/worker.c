// SPDX-License-Identifier: MIT
//
// The pool of threads. Whoever submits a job works on it, too; pool threads help. Threads take
// chunks of groups from the job until none is left.
#include "worker.h"

#include "thread.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

// Several chunks for each thread, so that uneven groups even out.
#define CHUNKS_PER_THREAD 8

// A job under way; lives on the submitter's stack.
struct work {
    const struct zc_job *job;
    uint64_t group_count;
    uint64_t chunk;
    _Atomic uint64_t next; // first group that nobody took yet
    atomic_bool failed;
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

static struct zc_worker *scratch_of(struct zc_runner *runner, const struct zc_engine *engine)
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

static void set_group(struct zc_group *group, uint64_t index)
{
    group->group_id[0] = index % group->group_count[0];
    index /= group->group_count[0];
    group->group_id[1] = index % group->group_count[1];
    group->group_id[2] = index / group->group_count[1];
}

bool zc_job_run_group(const struct zc_job *job, struct zc_runner *runner, uint64_t index)
{
    struct zc_worker *scratch = scratch_of(runner, job->engine);
    struct zc_group group = job->group;
    set_group(&group, index);
    return scratch && job->engine->run_groups(scratch, job->kernel, &group, 1, job->blob);
}

static bool run_chunk(const struct work *work, struct zc_worker *scratch, uint64_t first)
{
    const struct zc_job *job = work->job;
    const uint64_t left = work->group_count - first;
    struct zc_group group = job->group;
    set_group(&group, first);
    return job->engine->run_groups(
        scratch, job->kernel, &group, left < work->chunk ? left : work->chunk, job->blob);
}

static void run_chunks(struct work *work, struct zc_runner *runner)
{
    struct zc_worker *scratch = scratch_of(runner, work->job->engine);
    if (!scratch)
        atomic_store(&work->failed, true);
    while (!atomic_load_explicit(&work->failed, memory_order_relaxed)) {
        const uint64_t first = atomic_fetch_add(&work->next, work->chunk);
        if (first >= work->group_count)
            return;
        if (!run_chunk(work, scratch, first))
            atomic_store(&work->failed, true);
    }
}

static bool wants_help(struct work *work)
{
    return work->helpers + 1 < work->job->thread_limit && !atomic_load(&work->failed) &&
           atomic_load(&work->next) < work->group_count;
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
    pthread_mutex_lock(&pool.lock);
    for (;;) {
        struct work *work;
        while (!(work = find_work()))
            pthread_cond_wait(&pool.work_came, &pool.lock);
        work->helpers++;
        pthread_mutex_unlock(&pool.lock);
        run_chunks(work, &runner);
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
    start_threads(work->job->thread_limit - 1);
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
    struct work work = {.job = job, .group_count = counts[0] * counts[1] * counts[2]};
    work.chunk = work.group_count / ((uint64_t)job->thread_limit * CHUNKS_PER_THREAD);
    if (!work.chunk)
        work.chunk = 1;
    const bool shared = job->thread_limit > 1 && work.group_count > 1;
    if (shared)
        announce(&work);
    run_chunks(&work, runner);
    if (shared)
        withdraw(&work);
    return !atomic_load(&work.failed);
}
