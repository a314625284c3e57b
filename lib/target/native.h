// SPDX-License-Identifier: MIT
//
// Native binaries: does code that was compiled for one device run on another?

#ifndef MEZ_TARGET_NATIVE_H
#define MEZ_TARGET_NATIVE_H

typedef enum mez_native_fit {
    MEZ_NATIVE_FITS = 0, // compiled for this device, or for one whose code it runs
    MEZ_NATIVE_MAY_FIT,  // unknown: the driver will decide
    MEZ_NATIVE_MISFIT,
} mez_native_fit;

// Do code and device go together, by the names of their targets as the device configuration has them? A name that is not known
// there, or "", may be anything.
mez_native_fit mez_native_compare(const char *code, const char *device);

#endif
