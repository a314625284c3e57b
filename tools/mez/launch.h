// SPDX-License-Identifier: MIT
//
// A kernel with its queue and buffers, launched as a request says.

#ifndef LAUNCH_H
#define LAUNCH_H

#include <mezzanine/mezzanine.h>

#include "request.h"

// One per argument; only buffers have memory.
struct launch_buffer {
    size_t size;
    void *host;   // what the user sees: filled before, brought up to date after the run
    void *device; // what the kernel sees
};

struct launch {
    const struct run_request *request;
    mez_context *context;
    mez_queue *queue;
    mez_image *image;
    mez_kernel *kernel;
    struct launch_buffer *buffers;
    mez_arg *arguments;
    double *seconds; // of each run, from submit to the end of the wait
};

// Compiles the kernel and fills the buffers. False: *error says why, or, where that is success, the problem does.
// Either way the launch needs launch_finish.
bool launch_prepare(struct launch *launch, const struct run_request *request, mez_error *error,
    struct problem *problem);

// Runs the kernel as often as was asked for, then fetches the buffers.
mez_error launch_run(struct launch *launch);

// Error: what a check of the memory has found, which the log has, or what the driver says.
mez_error launch_finish(struct launch *launch);

#endif
