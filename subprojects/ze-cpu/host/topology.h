// SPDX-License-Identifier: MIT
//
// The trees of devices, and which part of them programs see: ZE_CPU_DEVICES says what devices there are, ZE_CPU_SUB_DEVICES divides
// each, ZE_AFFINITY_MASK selects, ZE_FLAT_DEVICE_HIERARCHY says how the trees are shown.
#ifndef ZE_CPU_TOPOLOGY_H
#define ZE_CPU_TOPOLOGY_H

#include "device.h"

#define ZC_MAX_SUB_DEVICES 64

struct zc_device_tree {
    struct _ze_device_handle_t root;
    struct _ze_device_handle_t *sub_devices; // NULL: it is not divided
    ze_device_handle_t *shown;               // sub-devices that are seen at all
    // What the mask selects.
    bool is_selected; // as a whole
    bool selected_parts[ZC_MAX_SUB_DEVICES];
};

struct zc_topology {
    struct zc_device_list list;
    struct zc_device_tree *trees; // one for each of the list
    ze_device_handle_t *visible;  // what zeDeviceGet returns
    uint32_t visible_count;
    zc_device_set devices; // those of which anything is visible
};

// A value that is not accepted is named on stderr. Success also when nothing is visible. What it allocates is never freed.
ze_result_t zc_topology_init(struct zc_topology *topology);

#endif
