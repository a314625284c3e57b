// SPDX-License-Identifier: MIT
//
// What a driver can do, found out once and without trying: driver 22.43 accepts unknown flags and structures and ignores
// them, so only its lists and versions count (facts: asserts-and-queues.md 2.2).

#ifndef MEZ_ZE_CAPS_H
#define MEZ_ZE_CAPS_H

#include "ze/call.h"

typedef struct mez_caps {
    uint32_t api_version;    // major << 16 | minor
    uint32_t driver_version; // Intel: 0x01030000 + build in every release
    bool
        module_program; // ZE_experimental_module_program: several modules linked in one zeModuleCreate
    bool native_assert; // lists cl_intel_devicelib_assert
    bool wrapped;       // not the driver's handles, but the loader's: see mez_ze_wraps_handles
} mez_caps;

mez_error mez_caps_read(ze_driver_handle_t driver, mez_caps *caps);

#endif
