// SPDX-License-Identifier: MIT
//
// Many jobs, some at a time, each in a thread.

#ifndef MEZ_BUILD_JOBS_H
#define MEZ_BUILD_JOBS_H

#include "base/error.h"

typedef struct mez_jobs {
    uint32_t count;
    uint32_t at_once; // at least 1

    // Does job number `index`; called in threads of the jobs.
    mez_error (*run)(void *context, uint32_t index);

    // Notified of each job that has begun, in their order; called in the caller's thread, without any lock. May be NULL.
    void (*begun)(void *context, uint32_t index);
    void *context;
} mez_jobs;

// Does all of them. After the first failure no new one is begun. The error is that of the first job in their order that failed,
// others are logged. MEZ_ERRC_OUT_OF_HOST_MEMORY besides: no thread can be created.
mez_error mez_jobs_run(const mez_jobs *jobs);

#endif
