// SPDX-License-Identifier: MIT
//
// Cooperative launches. Threads of the pool come and go, so each group gets a thread made for it:
// then the system sees to it that all of them go on, however few cores there are.
#include "cooperative.h"

#include "execution.h"
#include "fault.h"
#include "loss.h"
#include "thread.h"

#include <stdio.h>
#include <stdlib.h>

uint32_t zc_cooperative_limit(ze_device_handle_t device)
{
    const uint32_t least = device->persona->cooperative_groups;
    return device->thread_count < least ? least : device->thread_count;
}

// Nobody starts before all are there: the lock is held until then.
struct gate {
    pthread_mutex_t lock;
    bool go; // false: go home
};

struct member {
    struct zc_execution *execution;
    uint64_t index;
    struct gate *gate;
    pthread_t thread;
};

static bool run_group(void *argument, struct zc_worker *worker, struct zc_watch *watch)
{
    const struct member *member = argument;
    const struct zc_job *job = member->execution->job;
    const struct zc_group group = zc_job_group(job, member->index, watch);
    return job->engine->run_groups(worker, job->kernel, &group, 1, job->blob);
}

static void run_member(struct member *member, struct zc_runner *runner)
{
    zc_execution_take_part(member->execution, runner, run_group, member);
}

static bool pass_gate(struct gate *gate)
{
    pthread_mutex_lock(&gate->lock);
    const bool go = gate->go;
    pthread_mutex_unlock(&gate->lock);
    return go;
}

static void *serve(void *argument)
{
    struct member *member = argument;
    struct zc_runner runner = {.engine = NULL};
    zc_guard_work_for_device(true);
    if (pass_gate(member->gate))
        run_member(member, &runner);
    zc_runner_finish(&runner);
    return NULL;
}

// How many could be started.
static uint32_t start_members(struct member *members, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!zc_thread_start(&members[i].thread, "ze-cpu/group", serve, &members[i]))
            return i;
    return count;
}

static void join_members(struct member *members, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        pthread_join(members[i].thread, NULL);
}

static void fail(struct zc_execution *execution)
{
    char story[ZC_LOSS_TEXT];
    snprintf(story, sizeof story, "kernel \"%s\": there are no threads for its work-groups",
        execution->job->kernel->name);
    zc_execution_fail(execution, story);
}

// The caller runs group 0.
static void run_members(struct zc_execution *execution, struct zc_runner *runner,
    struct member *members, uint32_t count)
{
    struct gate gate = {.lock = PTHREAD_MUTEX_INITIALIZER};
    struct member first = {.execution = execution};
    for (uint32_t i = 0; i < count; i++)
        members[i] = (struct member){.execution = execution, .index = i + 1, .gate = &gate};
    pthread_mutex_lock(&gate.lock);
    const uint32_t started = start_members(members, count);
    gate.go = started == count;
    pthread_mutex_unlock(&gate.lock);
    if (started == count)
        run_member(&first, runner);
    else
        fail(execution);
    join_members(members, started);
}

bool zc_job_run_cooperatively(const struct zc_job *job, struct zc_runner *runner)
{
    const uint64_t *counts = job->group.group_count;
    const uint64_t group_count = counts[0] * counts[1] * counts[2];
    struct zc_execution execution;
    if (group_count <= 1)
        return zc_job_run(job, runner);
    struct member *members = calloc(group_count - 1, sizeof *members);
    zc_execution_begin(&execution, job);
    if (members)
        run_members(&execution, runner, members, (uint32_t)group_count - 1);
    else
        fail(&execution);
    free(members);
    return zc_execution_end(&execution, runner);
}
