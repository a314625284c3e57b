// SPDX-License-Identifier: MIT

#ifndef MEZ_CONTEXT_CONTEXT_H
#define MEZ_CONTEXT_CONTEXT_H

#include <mezzanine/context.h>

#include "device/platform.h"

struct mez_context {
    mez_platform platform; // first, see mez_platform_of
    char *name;
};

// Opens Level Zero for a device filter ("gpu", "cpu", part of a name, NULL: the best), finds the driver whose devices fit,
// and fills driver, caps and devices of the platform. On failure there is nothing to free but platform->devices.
mez_error mez_select_devices(mez_platform *platform, const char *filter);

#endif
