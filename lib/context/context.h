// SPDX-License-Identifier: MIT

#ifndef MEZ_CONTEXT_CONTEXT_H
#define MEZ_CONTEXT_CONTEXT_H

#include <mezzanine/context.h>

#include "device/platform.h"
#include "kernel/use.h"
#include "queue/queue.h"

struct mez_context {
    mez_platform platform; // first, see mez_platform_of
    char *name;
    // What the platform points to.
    mez_kernel_uses kernel_uses;
    mez_queues queues;
};

// Where a new context's driver and devices come from: fills driver, caps, devices and ze of the platform. What it has filled
// in is freed by the caller, also on failure.
typedef mez_error mez_context_source(mez_platform *platform, const void *how);

// Makes a context; of `params` all but `device` counts, which is the source's business.
mez_error mez_context_open(const mez_context_params *params, mez_context_source *source,
    const void *how, mez_context **context);

// Opens Level Zero for a device filter ("gpu", "cpu", part of a name, NULL: the best), finds the driver whose devices fit,
// and fills driver, caps and devices of the platform. On failure there is nothing to free but platform->devices.
mez_error mez_select_devices(mez_platform *platform, const char *filter);

#endif
