// SPDX-License-Identifier: MIT
//
// ZE_CPU_DEVICES: how many devices there are, and the persona of each.
#ifndef ZE_CPU_DEVICE_LIST_H
#define ZE_CPU_DEVICE_LIST_H

#include "persona.h"

#define ZC_MAX_DEVICES 64

struct zc_device_list {
    uint32_t count;
    const struct zc_persona *personas[ZC_MAX_DEVICES]; // each is of the table, or `custom`
    struct zc_persona custom;
};

// Reads ZE_CPU_DEVICES, ZE_CPU_PERSONA and ZE_CPU_FEATURES; a value that is not accepted is named on stderr. The list stays where it is:
// it points into itself.
ze_result_t zc_device_list_read(struct zc_device_list *list);

#endif
