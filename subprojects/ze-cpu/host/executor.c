// SPDX-License-Identifier: MIT
//
// Threads that do the work of commands for an out-of-order queue.
#include "executor.h"

#include "thread.h"

#include <stdlib.h>

// NULL: the executor is to stop.
static const struct zc_command *take_command(struct zc_executor *executor)
{
    pthread_mutex_lock(&executor->lock);
    while (!executor->command && !executor->stop)
        pthread_cond_wait(&executor->work_came, &executor->lock);
    const struct zc_command *command = executor->command;
    executor->command = NULL;
    pthread_mutex_unlock(&executor->lock);
    return command;
}

static void *serve(void *argument)
{
    struct zc_executor *executor = argument;
    const struct zc_command *command;
    while ((command = take_command(executor))) {
        executor->ok = zc_command_run(command, &executor->runner, true);
        zc_completion_finish(&executor->done, true);
    }
    return NULL;
}

static void free_executor(struct zc_executor *executor)
{
    pthread_cond_destroy(&executor->work_came);
    pthread_mutex_destroy(&executor->lock);
    free(executor);
}

struct zc_executor *zc_executor_create(const struct zc_runner *runner)
{
    struct zc_executor *executor = calloc(1, sizeof *executor);
    if (!executor)
        return NULL;
    executor->runner.news = runner->news;
    executor->runner.turn = runner->turn;
    executor->runner.device = runner->device;
    pthread_mutex_init(&executor->lock, NULL);
    pthread_cond_init(&executor->work_came, NULL);
    if (zc_thread_start(&executor->thread, "ze-cpu/executor", serve, executor))
        return executor;
    free_executor(executor);
    return NULL;
}

static void wake(struct zc_executor *executor, const struct zc_command *command, bool stop)
{
    pthread_mutex_lock(&executor->lock);
    executor->command = command;
    executor->stop = stop;
    pthread_cond_signal(&executor->work_came);
    pthread_mutex_unlock(&executor->lock);
}

void zc_executor_destroy(struct zc_executor *executor)
{
    wake(executor, NULL, true);
    pthread_join(executor->thread, NULL);
    zc_runner_finish(&executor->runner);
    free_executor(executor);
}

void zc_executor_start(struct zc_executor *executor, const struct zc_command *command)
{
    executor->busy = true;
    zc_completion_reset(&executor->done);
    wake(executor, command, false);
}

bool zc_executor_wait(struct zc_executor *executor, uint64_t timeout)
{
    const struct zc_wait_devices anyone = {ZC_ALL_DEVICES, ZC_ALL_DEVICES};
    if (zc_completion_wait(&executor->done, anyone, timeout) != ZE_RESULT_SUCCESS)
        return false;
    executor->busy = false;
    return true;
}
