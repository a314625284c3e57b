// SPDX-License-Identifier: MIT
//
// What the environment asks for, apart from the device (device.h). Read once, by zeInit.
#ifndef ZE_CPU_SETTINGS_H
#define ZE_CPU_SETTINGS_H

#include <level_zero/ze_api.h>
#include <stdbool.h>
#include <stdint.h>

struct zc_settings {
    bool newer;        // ZE_CPU_NEWER: be like a driver of API 1.14
    bool out_of_order; // ZE_CPU_OUT_OF_ORDER is set
    uint64_t seed;     // to its value
};

// Only read after zeInit.
extern struct zc_settings zc_settings;

// A value that is not accepted is named on stderr.
ze_result_t zc_settings_read(void);

#endif
