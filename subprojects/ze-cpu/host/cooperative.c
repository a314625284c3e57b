// SPDX-License-Identifier: MIT
//
// Cooperative launches. Threads of the pool come and go, so each group gets a thread made for it:
// then the system sees to it that all of them go on, however few cores there are.
#include "cooperative.h"

#include "thread.h"

#include <stdlib.h>

// Groups that spin for each other on too few cores are slow; more than this would be useless.
#define MIN_LIMIT 16

uint32_t zc_cooperative_limit(ze_device_handle_t device)
{
    return device->thread_count < MIN_LIMIT ? MIN_LIMIT : device->thread_count;
}

// Nobody starts before all are there: the lock is held until then.
struct gate {
    pthread_mutex_t lock;
    bool go; // false: go home
};

struct member {
    const struct zc_job *job;
    uint64_t index;
    struct gate *gate;
    pthread_t thread;
    bool ok;
};

static bool run_member(const struct member *member, struct zc_runner *runner)
{
    return zc_job_run_group(member->job, runner, member->index);
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
    member->ok = pass_gate(member->gate) && run_member(member, &runner);
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

static bool join_members(struct member *members, uint32_t count)
{
    bool ok = true;
    for (uint32_t i = 0; i < count; i++) {
        pthread_join(members[i].thread, NULL);
        ok &= members[i].ok;
    }
    return ok;
}

// The caller runs group 0.
static bool run_members(
    const struct zc_job *job, struct zc_runner *runner, struct member *members, uint32_t count)
{
    struct gate gate = {.lock = PTHREAD_MUTEX_INITIALIZER};
    const struct member first = {.job = job};
    for (uint32_t i = 0; i < count; i++)
        members[i] = (struct member){.job = job, .index = i + 1, .gate = &gate};
    pthread_mutex_lock(&gate.lock);
    const uint32_t started = start_members(members, count);
    const bool go = gate.go = started == count;
    pthread_mutex_unlock(&gate.lock);
    const bool ok = go && run_member(&first, runner);
    return join_members(members, started) && ok;
}

bool zc_job_run_cooperatively(const struct zc_job *job, struct zc_runner *runner)
{
    const uint64_t *counts = job->group.group_count;
    const uint64_t group_count = counts[0] * counts[1] * counts[2];
    if (group_count <= 1)
        return zc_job_run(job, runner);
    struct member *members = calloc(group_count - 1, sizeof *members);
    const bool ok = members && run_members(job, runner, members, (uint32_t)group_count - 1);
    free(members);
    return ok;
}
