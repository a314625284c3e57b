// SPDX-License-Identifier: MIT
//
// What a driver can do, found out once and without trying: driver 22.43 accepts unknown flags and structures and ignores
// them, so only its lists, versions and functions count (docs/internals/drivers.md#find-features-do-not-try-them).

#ifndef MEZ_ZE_CAPS_H
#define MEZ_ZE_CAPS_H

#include <mezzanine/driver.h>

#include "ze/call.h"

// Those of newer.h, and the loader's zeInitDrivers.
#define MEZ_ZE_COUNT_ONE(name, major, minor, parameters) +1
enum { MEZ_NEWER_FUNCTION_COUNT = 1 MEZ_ZE_NEWER_FUNCTIONS(MEZ_ZE_COUNT_ONE) };

// How counter-based events are made.
typedef enum mez_counter_events {
    MEZ_COUNTER_EVENTS_NONE,
    MEZ_COUNTER_EVENTS_SINGLE, // one by one, without a pool
    MEZ_COUNTER_EVENTS_POOLED, // in pools
} mez_counter_events;

typedef struct mez_caps {
    uint32_t api_version;    // major << 16 | minor
    uint32_t driver_version; // Intel: 0x01030000 + build in every release
    bool wrapped;            // not the driver's handles, but the loader's: see mez_ze_wraps_handles
    // ZE_experimental_module_program: several modules linked in one zeModuleCreate; not with MEZ_ASSERT_LINK=dynamic.
    bool module_program;
    // cl_intel_devicelib_assert: the driver brings the function that a failed device-side assert calls.
    bool devicelib_assert;
    bool assert_code; // waits return ZE_NEWER_INTEL_RESULT_ASSERT_FAILED
    // ZE_experimental_relaxed_allocation_limits: one allocation may be above the limit.
    bool relaxed_allocation_limits;
    // ZE_extension_device_usablemem_size_properties: a device reports how much of its memory is free.
    bool usable_memory;
    bool ip_version;     // ZE_extension_device_ip_version: a device reports its architecture
    bool in_order_lists; // immediate lists that complete in order, and can be waited for
    bool copy_offload;   // lists in order take the hint that copies may run on another engine
    bool host_functions;
    // Events write to the immediate list that signalled them last, also when it is gone: see lists/store.h.
    bool events_keep_lists;
    bool immediate_append; // zeCommandListImmediateAppendCommandListsExp
    mez_counter_events counter_events;
    mez_ze_newer_functions newer;

    // For mez_context_get_driver_info.
    mez_driver_function functions[MEZ_NEWER_FUNCTION_COUNT];
    ze_driver_extension_properties_t *listed; // names of the next
    mez_driver_extension *extensions;
    uint32_t extension_count;
} mez_caps;

// Has the environment switched on the loader's validation layer, which takes two variables?
bool mez_ze_loader_validates(void);

// Has MEZ_ASSERT_LINK a meaning? Error: MEZ_ERRC_INVALID_PARAMETER.
mez_error mez_caps_check_link_setting(void);

// Fills *caps, which is zero or was filled before. `wrapped`: see mez_ze_wraps_handles. On failure there is nothing to finish.
mez_error mez_caps_read(ze_driver_handle_t driver, bool wrapped, mez_caps *caps);

// Frees what a read has allocated; zero is fine.
void mez_caps_finish(mez_caps *caps);

#endif
