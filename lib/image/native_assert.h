// SPDX-License-Identifier: MIT
//
// Does a device's driver bring device-side asserts itself? Newer drivers of Intel's do, and list nothing that says so: their
// compiler resolves the function that a failed assert calls (docs/internals/asserts.md#is-a-driver-native).

#ifndef MEZ_IMAGE_NATIVE_ASSERT_H
#define MEZ_IMAGE_NATIVE_ASSERT_H

#include "device/platform.h"

// Found out when it is first asked for, by a compilation where the driver lists nothing, and remembered for the device. Ask
// for images with asserts only. Errors: what the driver says, except for a build that fails.
// Thread-safety: safe; who asks meanwhile waits for the compiler.
mez_error mez_native_assert(mez_device *device, mez_native_asserts *how);

// Does a debugger want to stop at failed asserts? Then the driver's own are kept whatever the policy: it knows no others.
bool mez_native_assert_is_debugged(void);

#endif
