// SPDX-License-Identifier: MIT
//
// Running a kernel's work-groups on all cores.
#ifndef ZE_CPU_WORKER_H
#define ZE_CPU_WORKER_H

#include "assert.h"
#include "memory_check.h"
#include "sync.h"

#include <engine.h>
#include <stdbool.h>
#include <stdint.h>

// What a thread owns that runs commands: the engine's scratch memory, made at its first kernel.
// Zero-initialised.
struct zc_runner {
    const struct zc_engine *engine;
    struct zc_worker *scratch;
    ze_device_handle_t device;   // of the queue whose commands are run
    struct zc_assert_news *news; // of the queue whose commands are run
    // Called with the first failure, before anybody sees it; NULL: nobody is interested.
    void (*failed)(struct zc_runner *runner);
    struct zc_turn *turn; // to be taken for each command; NULL: commands run at any time
    atomic_uint loss;     // why the first command failed, a number of loss.h
};

void zc_runner_finish(struct zc_runner *runner);
// The scratch memory; NULL: there is none.
struct zc_worker *zc_runner_worker(struct zc_runner *runner, const struct zc_engine *engine);
// The first reason stays.
void zc_runner_note_loss(struct zc_runner *runner, unsigned loss);

struct zc_job {
    const struct zc_engine *engine;
    const struct zc_kernel *kernel;
    struct zc_group group; // group_id is not used
    const void *blob;
    struct zc_memory_map *memory;     // of the driver, for what is said of a fault
    struct zc_memory_checker checker; // for group.checker, where kernels are checked
    uint32_t thread_limit;            // at most so many threads, the caller's included
};

// Runs all groups of the job, on the calling thread and on idle threads of the pool. False: it failed, and the runner knows why.
bool zc_job_run(const struct zc_job *job, struct zc_runner *runner);

// A group of the job, by its number in order of x, y, z.
struct zc_group zc_job_group(const struct zc_job *job, uint64_t index, struct zc_watch *watch);

#endif
