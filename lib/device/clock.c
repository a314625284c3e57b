// SPDX-License-Identifier: MIT

#include "device/clock.h"

#define SECOND 1000000000u // ns

mez_clock mez_clock_of(const ze_device_properties_t *properties)
{
    return (mez_clock){
        .resolution = properties->timerResolution,
        .per_second = properties->stype == ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2,
        .valid_bits = properties->kernelTimestampValidBits,
    };
}

// In two parts, as the product of large numbers does not fit 64 bits.
static uint64_t nanoseconds(const mez_clock *clock, uint64_t ticks)
{
    const uint64_t resolution = clock->resolution;
    if (!clock->per_second)
        return ticks * resolution;
    return ticks / resolution * SECOND + ticks % resolution * SECOND / resolution;
}

void mez_clock_convert(const mez_clock *clock, uint64_t *start, uint64_t *end)
{
    const bool all = clock->valid_bits == 0 || clock->valid_bits >= 64;
    const uint64_t mask = all ? UINT64_MAX : (UINT64_C(1) << clock->valid_bits) - 1;
    const uint64_t first = *start & mask, length = (*end - *start) & mask;
    *start = nanoseconds(clock, first);
    *end = nanoseconds(clock, first + length);
}
