// SPDX-License-Identifier: MIT
//
// Native binaries: for which device was one compiled, and does it run on this one?

#ifndef MEZ_IMAGE_NATIVE_H
#define MEZ_IMAGE_NATIVE_H

#include "device/device.h"
#include "image/part.h"

typedef enum mez_native_fit {
    MEZ_NATIVE_FITS = 0, // compiled for this device, or for one whose code it runs
    MEZ_NATIVE_MAY_FIT,  // nobody says: the driver will tell
    MEZ_NATIVE_MISFIT,
} mez_native_fit;

mez_native_fit mez_native_fits(const mez_part *part, const mez_device *device);

// What it was compiled for, for messages; "": it is not said.
const char *mez_native_target(const mez_part *part);

// Do code and device go together, by the names of their targets as the device configuration has them?
mez_native_fit mez_native_compare(const char *code, const char *device);

#endif
