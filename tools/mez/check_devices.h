// SPDX-License-Identifier: MIT
//
// The devices that `mez check` asks: targets by name, and those of this machine.

#ifndef CHECK_DEVICES_H
#define CHECK_DEVICES_H

#include <mezzanine/code.h>
#include <mezzanine/context.h>

#include "check_request.h"

struct check_device {
    const char *name;
    const mez_target *target;
    const char *compiler; // version to judge for; NULL: what the target says
    mez_findings *findings;
};

struct check_devices {
    struct check_device *items;
    uint32_t count;
    mez_context *context; // that the live ones belong to; NULL: there are none
};

// To be given to check_devices_finish in any case.
mez_error check_devices_open(
    struct check_devices *devices, const struct check_request *request, const mez_targets *table);

void check_devices_finish(struct check_devices *devices);

#endif
