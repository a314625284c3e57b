// SPDX-License-Identifier: MIT
//
// What a live device has, as a target: by what its driver reports, and by the table of targets for what no driver reports (its
// name, and joint matrices). docs/targets.md says which aspect comes from where.
//
// Thread-safety: safe; it is read once, when the context is created.

#ifndef MEZ_DEVICE_TARGET_H
#define MEZ_DEVICE_TARGET_H

#include "device/device.h"

// Fills device->target. The rest of the device, but for its engines, has been read.
// MEZ_ERRC_INVALID_PARAMETER, MEZ_ERRC_FILE: MEZ_DEVICE_CONFIG names no device configuration file; what the driver says.
mez_error mez_device_read_target(mez_device *device);

#endif
