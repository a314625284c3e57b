// SPDX-License-Identifier: MIT
//
// What a program would find: opens a context in a process of its own.
//
// Each question gets its own process (apart.h), asked before this one has touched Level Zero.

#ifndef PROBE_H
#define PROBE_H

#include <stdbool.h>

#include <mezzanine/device.h>

#define MOST_PROBED_DEVICES 256

struct probed_device {
    mez_device_info info;    // its name is not to be used
    mez_memory_state memory; // why_unknown is not to be used
    char why_unknown[256];
    mez_native_asserts asserts;
    bool asserts_are_known;
    char name[256];
    char architecture[64];
    char lines[4096]; // of its identity and parts
    uint32_t depth;   // 0: listed; 1: its sub-device; ...
    uint32_t sub_devices;
};

struct probe_result {
    uint32_t count; // 0: nothing was found, and the story has the reason
    struct probed_device devices[MOST_PROBED_DEVICES]; // each followed by its sub-devices
    char driver[512];    // lines of the driver that these devices belong to
    char details[16384]; // more of them
    char story[8192];
};

// The context that a program gets here with default params, in this very environment.
void probe_default(struct probe_result *result);

// Devices of a kind, "gpu" or "cpu", whatever MEZ_DEVICE says; only that kind's driver is loaded unless the user's
// MEZ_DRIVERS or ZE_ENABLE_ALT_DRIVERS names others.
void probe_kind(const char *kind, struct probe_result *result);

#endif
