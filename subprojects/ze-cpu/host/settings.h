// SPDX-License-Identifier: MIT
//
// What the environment asks for, apart from the device (device.h). Read once, by zeInit.
#ifndef ZE_CPU_SETTINGS_H
#define ZE_CPU_SETTINGS_H

#include <level_zero/ze_api.h>
#include <stdbool.h>
#include <stdint.h>

// How devices with sub-devices are shown.
enum zc_hierarchy {
    ZC_COMPOSITE, // zeDeviceGet returns devices, zeDeviceGetSubDevices their parts
    ZC_FLAT,      // zeDeviceGet returns the parts as devices
    ZC_COMBINED,  // zeDeviceGet returns the parts, zeDeviceGetRootDevice what they are parts of
};

enum zc_copy_engine { ZC_COPY_ENGINE_OF_PERSONA, ZC_COPY_ENGINE_OFF, ZC_COPY_ENGINE_ON };

// Who gives kernels the functions that report a failed assert, and what happens then.
enum zc_asserts {
    ZC_ASSERTS_NONE,  // the application, whose affair they are
    ZC_ASSERTS_ABORT, // the driver, which ends the process when it is waited for
    ZC_ASSERTS_CODE,  // the driver, which returns a code of its own to whoever waits
};

struct zc_settings {
    bool newer;                      // ZE_CPU_NEWER: be like a driver of API 1.14
    bool out_of_order;               // ZE_CPU_OUT_OF_ORDER is set
    uint64_t seed;                   // to its value
    bool loses_device;               // ZE_CPU_LOSE_DEVICE is set:
    uint64_t lost_device;            // the index of the device
    uint64_t lost_after;             // how many commands it runs
    enum zc_copy_engine copy_engine; // ZE_CPU_COPY_ENGINE
    uint32_t sub_devices;            // ZE_CPU_SUB_DEVICES; 0 and 1: the device is not divided
    enum zc_hierarchy hierarchy;     // ZE_FLAT_DEVICE_HIERARCHY
    enum zc_asserts asserts;         // ZE_CPU_ASSERT
    bool signals;                    // ZE_CPU_SIGNALS: handlers for signals of kernels, fault.h
    bool resets;                     // ZE_CPU_RESET_MS is set
    uint64_t reset_ms;               // to its value
    bool single_engine;              // ZE_CPU_SINGLE_ENGINE: queues of a group take turns
    uint64_t memory; // ZE_CPU_MEMORY: bytes of each device; 0: its share of the machine's
    bool sysman;     // ZES_ENABLE_SYSMAN
    uint32_t checks; // ZE_CPU_CHECK: ZC_CHECK_... of engine.h
    bool guard;      // ZE_CPU_GUARD: pages around allocations that nobody may access
    bool strict;     // ZE_CPU_STRICT: find and refuse what GPUs may not forgive
};

// Only read after zeInit.
extern struct zc_settings zc_settings;

// A value that is not accepted is named on stderr.
ze_result_t zc_settings_read(void);

#endif
