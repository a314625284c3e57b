// SPDX-License-Identifier: MIT

#include "build/jobs.h"

#include <pthread.h>
#include <stdbool.h>

#include "base/alloc.h"
#include "base/log.h"

typedef struct pool {
    const mez_jobs *jobs;
    pthread_mutex_t lock;   // guards all below
    pthread_cond_t changed; // a job has begun, or a thread is done
    uint32_t begun, threads;
    mez_error error;
    uint32_t failed_job;
} pool;

// --- In the threads

static bool take(pool *pool, uint32_t *index)
{
    pthread_mutex_lock(&pool->lock);
    const bool taken = !mez_failed(pool->error) && pool->begun < pool->jobs->count;
    if (taken) {
        *index = pool->begun++;
        pthread_cond_signal(&pool->changed);
    }
    pthread_mutex_unlock(&pool->lock);
    return taken;
}

static void note(pool *pool, uint32_t index, mez_error error)
{
    mez_error later = error;
    pthread_mutex_lock(&pool->lock);
    if (!mez_failed(pool->error) || index < pool->failed_job) {
        later = pool->error;
        pool->error = error;
        pool->failed_job = index;
    }
    pthread_mutex_unlock(&pool->lock);
    if (!mez_error_is(later, MEZ_ERRC_WRONG_STATE)) // they were all stopped, as somebody wanted
        mez_log_error(MEZ_TOPIC_IMAGE, later);
}

static void *work(void *argument)
{
    pool *pool = argument;
    uint32_t index;
    while (take(pool, &index)) {
        const mez_error error = pool->jobs->run(pool->jobs->context, index);
        if (mez_failed(error))
            note(pool, index, error);
    }
    pthread_mutex_lock(&pool->lock);
    pool->threads--;
    pthread_cond_signal(&pool->changed);
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

// --- In the caller's thread

// Waits for news. False: all threads are done, and begun() has been called for all jobs.
static bool await_news(pool *pool, uint32_t reported, uint32_t *begun)
{
    pthread_mutex_lock(&pool->lock);
    while (pool->begun == reported && pool->threads > 0)
        pthread_cond_wait(&pool->changed, &pool->lock);
    *begun = pool->begun;
    pthread_mutex_unlock(&pool->lock);
    return *begun > reported;
}

static void report(pool *pool)
{
    const mez_jobs *jobs = pool->jobs;
    uint32_t reported = 0, begun;
    while (await_news(pool, reported, &begun))
        for (; reported < begun; reported++)
            if (jobs->begun)
                jobs->begun(jobs->context, reported);
}

// As many threads as can be created; returns how many.
static uint32_t start(pool *pool, pthread_t *threads, uint32_t wanted)
{
    uint32_t count = 0;
    pthread_mutex_lock(&pool->lock);
    while (count < wanted && pthread_create(&threads[count], NULL, work, pool) == 0)
        count++;
    pool->threads = count;
    pthread_mutex_unlock(&pool->lock);
    return count;
}

static mez_error run(pool *pool, pthread_t *threads, uint32_t wanted)
{
    const uint32_t count = start(pool, threads, wanted);
    if (count == 0)
        return mez_error_no_memory("a thread");
    report(pool);
    for (uint32_t i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    return pool->error;
}

mez_error mez_jobs_run(const mez_jobs *jobs)
{
    const uint32_t wanted = jobs->at_once < jobs->count ? jobs->at_once : jobs->count;
    if (wanted == 0)
        return mez_ok();
    pool pool = {.jobs = jobs};
    pthread_t *threads = mez_alloc_array(wanted, sizeof *threads);
    if (!threads)
        return mez_error_no_memory("threads");
    pthread_mutex_init(&pool.lock, NULL);
    pthread_cond_init(&pool.changed, NULL);
    const mez_error error = run(&pool, threads, wanted);
    pthread_cond_destroy(&pool.changed);
    pthread_mutex_destroy(&pool.lock);
    mez_free_memory(threads);
    return error;
}
