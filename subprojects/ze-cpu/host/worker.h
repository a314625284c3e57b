// SPDX-License-Identifier: MIT
//
// Running a kernel's work-groups on all cores.
#ifndef ZE_CPU_WORKER_H
#define ZE_CPU_WORKER_H

#include "assert.h"

#include <engine.h>
#include <stdbool.h>
#include <stdint.h>

// What a thread owns that runs commands: the engine's scratch memory, made at its first kernel.
// Zero-initialised.
struct zc_runner {
    const struct zc_engine *engine;
    struct zc_worker *scratch;
    struct zc_assert_news *news; // of the queue whose commands are run
};

void zc_runner_finish(struct zc_runner *runner);

struct zc_job {
    const struct zc_engine *engine;
    const struct zc_kernel *kernel;
    struct zc_group group; // group_id is not used
    const void *blob;
    uint32_t thread_limit; // at most so many threads, the caller's included
};

// Runs all groups of the job, on the calling thread and on idle threads of the pool. False: out of
// memory.
bool zc_job_run(const struct zc_job *job, struct zc_runner *runner);

// Runs one group of the job, by its number in order of x, y, z. False: out of memory.
bool zc_job_run_group(const struct zc_job *job, struct zc_runner *runner, uint64_t index);

#endif
