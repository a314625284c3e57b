// SPDX-License-Identifier: MIT
//
// What a driver can do, found out once and without trying: driver 22.43 accepts unknown flags and structures and ignores
// them, so only its lists, versions and functions count (facts: asserts-and-queues.md 2.2).

#ifndef MEZ_ZE_CAPS_H
#define MEZ_ZE_CAPS_H

#include "ze/call.h"
#include "ze/newer.h"

typedef struct mez_caps {
    uint32_t api_version;    // major << 16 | minor
    uint32_t driver_version; // Intel: 0x01030000 + build in every release
    bool wrapped;            // not the driver's handles, but the loader's: see mez_ze_wraps_handles
    bool module_program;     // ZE_experimental_module_program: several modules linked in one
                             // zeModuleCreate
    // ZE_experimental_relaxed_allocation_limits: one allocation may be above the limit.
    bool relaxed_allocation_limits;
    bool immediate_append; // ZE_experimental_immediate_command_list_append
    bool in_order_lists;   // immediate lists that complete in order, and can be waited for
    mez_ze_newer_functions newer;
} mez_caps;

// `wrapped`: see mez_ze_wraps_handles.
mez_error mez_caps_read(ze_driver_handle_t driver, bool wrapped, mez_caps *caps);

#endif
