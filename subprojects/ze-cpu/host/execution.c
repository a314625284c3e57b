// SPDX-License-Identifier: MIT
//
// Executions of jobs.
#include "execution.h"

#include "fault_story.h"
#include "loss.h"
#include "reset.h"

#include <stdio.h>

void zc_execution_begin(struct zc_execution *execution, const struct zc_job *job)
{
    *execution = (struct zc_execution){.job = job};
    zc_reset_watch(execution);
}

bool zc_execution_end(struct zc_execution *execution, struct zc_runner *runner)
{
    zc_reset_unwatch(execution);
    if (!atomic_load(&execution->failed))
        return true;
    zc_runner_note_loss(runner, atomic_load(&execution->loss));
    return false;
}

// Whoever comes first is done before the execution ends.
void zc_execution_fail(struct zc_execution *execution, const char *story)
{
    if (atomic_exchange(&execution->failing, true))
        return;
    atomic_store(&execution->loss, zc_loss_note(story));
    atomic_store(&execution->failed, true);
    zc_guard_cancel(execution);
}

static void fail_without_memory(struct zc_execution *execution)
{
    char story[ZC_LOSS_TEXT];
    snprintf(story, sizeof story, "kernel \"%s\": there is no memory for the state of a work-group",
        execution->job->kernel->name);
    zc_execution_fail(execution, story);
}

static void fail_by_fault(
    struct zc_execution *execution, const struct zc_worker *worker, const struct zc_fault *fault)
{
    char story[ZC_LOSS_TEXT];
    zc_fault_describe(execution->job, worker, fault, story, sizeof story);
    zc_execution_fail(execution, story);
}

static void fail_by_finding(struct zc_execution *execution, const struct zc_finding *finding)
{
    char story[ZC_LOSS_TEXT];
    zc_finding_describe(execution->job, finding, story, sizeof story);
    zc_execution_fail(execution, story);
}

struct part {
    struct zc_guard guard;
    struct zc_worker *worker;
    zc_execution_body *body;
    void *argument;
    bool ok;
};

static void run_part(void *argument)
{
    struct part *part = argument;
    part->ok = part->body(part->argument, part->worker, &part->guard.watch);
}

static void take_part(struct zc_execution *execution, struct part *part)
{
    if (!zc_guard_run(&part->guard, execution, &execution->failed, run_part, part)) {
        const struct zc_engine *engine = execution->job->engine;
        if (engine->worker_left)
            engine->worker_left(part->worker);
        if (part->guard.fault.finding)
            fail_by_finding(execution, part->guard.fault.finding);
        else if (part->guard.fault.signal)
            fail_by_fault(execution, part->worker, &part->guard.fault);
    } else if (!part->ok) {
        fail_without_memory(execution);
    }
}

void zc_execution_take_part(struct zc_execution *execution, struct zc_runner *runner,
    zc_execution_body *body, void *argument)
{
    struct part part;
    part.worker = zc_runner_worker(runner, execution->job->engine);
    part.body = body;
    part.argument = argument;
    if (part.worker)
        take_part(execution, &part);
    else
        fail_without_memory(execution);
}
