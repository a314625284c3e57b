// SPDX-License-Identifier: MIT
//
// A device's clock: what its timestamps mean.

#ifndef MEZ_DEVICE_CLOCK_H
#define MEZ_DEVICE_CLOCK_H

#include <level_zero/ze_api.h>
#include <stdbool.h>
#include <stdint.h>

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

#endif
