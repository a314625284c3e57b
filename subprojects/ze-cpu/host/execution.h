// SPDX-License-Identifier: MIT
//
// One execution of a job by several threads: what ends it early, for all of them. The first reason counts: a kernel that faults or in
// which a check has found something, a group without memory, or a reset after ZE_CPU_RESET_MS milliseconds.
#ifndef ZE_CPU_EXECUTION_H
#define ZE_CPU_EXECUTION_H

#include "worker.h"

// Lives on the stack of who runs the job.
struct zc_execution {
    const struct zc_job *job;
    atomic_bool failing;               // somebody has a reason
    atomic_uint loss;                  // the reason, a number of loss.h
    atomic_bool failed;                // nothing more is to be run; set behind the two
    struct zc_execution *next, **link; // of those that reset.c watches
    uint64_t deadline;                 // likewise
};

void zc_execution_begin(struct zc_execution *execution, const struct zc_job *job);
// No thread takes part any more. Returns success; the runner has the reason otherwise.
bool zc_execution_end(struct zc_execution *execution, struct zc_runner *runner);

// Ends it for that reason: threads leave its kernels.
void zc_execution_fail(struct zc_execution *execution, const char *story);

// What a thread does: calls run_groups with that worker and that watch, for groups of the job, until none is left or the execution
// has failed. False: there was no memory.
typedef bool zc_execution_body(void *argument, struct zc_worker *worker, struct zc_watch *watch);

// Does this on the calling thread. Whatever fails ends the execution.
void zc_execution_take_part(struct zc_execution *execution, struct zc_runner *runner,
    zc_execution_body *body, void *argument);

#endif
