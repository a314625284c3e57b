// SPDX-License-Identifier: MIT
//
// The tree of devices, and which part of it programs see: ZE_CPU_SUB_DEVICES divides the device,
// ZE_AFFINITY_MASK selects, ZE_FLAT_DEVICE_HIERARCHY says how the tree is shown.
#ifndef ZE_CPU_TOPOLOGY_H
#define ZE_CPU_TOPOLOGY_H

#include "device.h"

#define ZC_MAX_SUB_DEVICES 64

struct zc_topology {
    struct _ze_device_handle_t root;
    struct _ze_device_handle_t sub_devices[ZC_MAX_SUB_DEVICES];
    ze_device_handle_t selected[ZC_MAX_SUB_DEVICES]; // sub-devices that are seen at all
    ze_device_handle_t visible[ZC_MAX_SUB_DEVICES];  // what zeDeviceGet returns
    uint32_t visible_count;
};

// A value that is not accepted is named on stderr. Success also when nothing is visible.
ze_result_t zc_topology_init(struct zc_topology *topology);

#endif
