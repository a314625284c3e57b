// SPDX-License-Identifier: MIT
//
// Does a device's driver bring device-side asserts itself? Newer drivers of Intel's do, and list nothing that says so: their
// compiler resolves the function that a failed assert calls (facts: asserts-and-queues.md 1.0).

#ifndef MEZ_IMAGE_NATIVE_ASSERT_H
#define MEZ_IMAGE_NATIVE_ASSERT_H

#include "device/platform.h"

enum mez_native_assert {
    MEZ_NATIVE_ASSERT_NONE,
    MEZ_NATIVE_ASSERT_BY_EXTENSION, // the driver lists cl_intel_devicelib_assert
    // The compiler resolves an import that nobody defines. Such compilers replace the body of a function of that name, too.
    MEZ_NATIVE_ASSERT_BY_PROBE,
};

// Found out when it is first asked for, by a compilation where the driver lists nothing, and remembered for the device. Ask
// for images with asserts only. Errors: what the driver says, but for a build that fails.
// Thread-safety: safe; who asks meanwhile waits for the compiler.
mez_error mez_native_assert(mez_device *device, enum mez_native_assert *how);

// Does a debugger want to stop at failed asserts? Then the driver's own are kept whatever the policy: it knows no others.
bool mez_native_assert_is_debugged(void);

#endif
