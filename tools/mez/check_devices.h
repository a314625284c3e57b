// SPDX-License-Identifier: MIT
//
// The devices that `mez check` asks: targets by name, and those of this machine.

#ifndef CHECK_DEVICES_H
#define CHECK_DEVICES_H

#include <mezzanine/context.h>

#include "check/check.h"
#include "check_request.h"

struct check_devices {
    mez_check_device *items;
    uint32_t count;
    mez_context *context; // that the live ones belong to; NULL: there are none
};

// To be given to check_devices_finish in any case.
mez_error check_devices_open(
    struct check_devices *devices, const struct check_request *request, const mez_targets *table);

void check_devices_finish(struct check_devices *devices);

#endif
