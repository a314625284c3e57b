// SPDX-License-Identifier: MIT
//
// A context owns allocations, which the whole driver knows.
#ifndef ZE_CPU_CONTEXT_H
#define ZE_CPU_CONTEXT_H

#include "device.h"
#include "memory.h"

struct _ze_context_handle_t {
    struct zc_memory_map *memory; // of the driver
    zc_device_set devices;        // that it is for
    bool is_default;              // the driver's own
};

static inline bool zc_context_has(ze_context_handle_t context, ze_device_handle_t device)
{
    return context->devices & zc_device_bit(device);
}

// The set of these devices; of none: the context's.
zc_device_set zc_context_devices(
    ze_context_handle_t context, uint32_t count, const ze_device_handle_t *devices);

#endif
