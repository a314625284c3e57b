// SPDX-License-Identifier: MIT

#ifndef MEZ_DEVICE_DEVICE_H
#define MEZ_DEVICE_DEVICE_H

#include <mezzanine/device.h>

#include <level_zero/ze_api.h>
#include <stdbool.h>
#include <stdint.h>

#include "target/target.h"
#include "ze/call.h"

// A device's clock: what its timestamps mean.
typedef struct mez_clock {
    uint64_t resolution; // ticks a second, or nanoseconds a tick; 0: unknown
    bool per_second;     // which of the two
    uint32_t valid_bits; // of a kernel's timestamps; those above mean nothing
} mez_clock;

// The structure to ask with: drivers before specification 1.2 do not know the one that counts ticks a second.
static inline ze_structure_type_t mez_clock_structure_type(uint32_t api_version)
{
    return api_version >= ZE_API_VERSION_1_2 ? ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2
                                             : ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
}

// What the properties, of either type, say of it.
mez_clock mez_clock_of(const ze_device_properties_t *properties);

// From ticks to nanoseconds. The clock may have wrapped once between the two.
void mez_clock_convert(const mez_clock *clock, uint64_t *start, uint64_t *end);

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

    _Atomic(struct mez_known_device *) details; // of details.c; NULL: nobody has asked yet

    // Of image/asserts.h, which guards them. Those of a device that is not part of another.
    bool native_assert_known;
    mez_native_asserts native_assert;
};

// Asks the driver everything about a device. On failure there is nothing to free.
mez_error mez_device_init(mez_device *device, ze_device_handle_t ze);

// Fills device->target: what it has, by what its driver reports, and by the table of targets for what no driver reports (its name, and
// joint matrices). docs/targets.md says which aspect comes from where. The rest of the device, except for its engines, has been read.
// MEZ_ERRC_INVALID_PARAMETER, MEZ_ERRC_FILE: MEZ_DEVICE_CONFIG names no device configuration file; what the driver says.
mez_error mez_device_read_target(mez_device *device);

// The device as checks (check/check.h) see it. It lives as long as the device.
struct mez_check_device mez_device_to_check(const mez_device *device);

#endif
