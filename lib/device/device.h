// SPDX-License-Identifier: MIT

#ifndef MEZ_DEVICE_DEVICE_H
#define MEZ_DEVICE_DEVICE_H

#include <mezzanine/device.h>

#include "device/clock.h"
#include "target/target.h"
#include "ze/call.h"

struct mez_known_device;
struct mez_platform;

// A part of the device that executes command lists by itself: a Level Zero queue group.
typedef struct mez_engine {
    const char *name;          // for messages
    uint32_t ordinal;          // of the group
    uint32_t queues;           // of the hardware; 0: the device has no such engine
    uint32_t max_fill_pattern; // bytes
    bool computes;             // runs kernels
} mez_engine;

struct mez_device {
    struct mez_platform *platform;
    ze_device_handle_t ze;
    uint32_t index;            // in the platform
    uint32_t parent;           // index of the device it is part of; its own: none
    uint32_t first_sub_device; // index; the others follow
    uint32_t sub_device_count;
    mez_device_info info;
    char name[ZE_MAX_DEVICE_NAME];

    mez_engine compute; // runs kernels, and copies and fills
    mez_engine copy;    // the first that only copies and fills; others mostly link devices
    bool cooperative;   // `compute` launches cooperative kernels
    mez_clock clock;
    bool shares_finely; // host and device may touch one shared allocation at the same time
    ze_device_memory_access_properties_t access;
    mez_target target; // what it has, as kernels are judged by

    _Atomic(struct mez_known_device *) details; // see details.h; NULL: nobody has asked yet

    // Of image/native_assert.h; platform->native_assert_lock guards them. Those of a device that is not part of another.
    bool native_assert_known;
    mez_native_asserts native_assert;
};

// Asks the driver everything about a device. On failure there is nothing to free.
mez_error mez_device_init(mez_device *device, ze_device_handle_t ze);

#endif
