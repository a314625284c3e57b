// SPDX-License-Identifier: MIT
//
// ZE_AFFINITY_MASK.
#ifndef ZE_CPU_AFFINITY_H
#define ZE_CPU_AFFINITY_H

#include <stdint.h>

#define ZC_WHOLE_DEVICE UINT32_MAX

// An element of the mask: "1" or "1.3".
struct zc_affinity {
    uint32_t device;
    uint32_t sub_device; // or ZC_WHOLE_DEVICE
};

// Reads the element at *text and moves *text behind it and its comma. What is not an element is
// skipped. False: there is none left.
_Bool zc_affinity_next(const char **text, struct zc_affinity *affinity);

#endif
