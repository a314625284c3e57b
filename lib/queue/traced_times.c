// SPDX-License-Identifier: MIT
//
// From the device's clock to the host's. Both are read at the moment of asking, and times are counted back from there: so it does not
// matter that the device's clock starts again at zero now and then, nor that the two drift apart.

#include "queue/traced.h"
#include "trace/streams.h"

// A moment, as both clocks have it.
typedef struct moment {
    uint64_t host;   // ns of CLOCK_MONOTONIC
    uint64_t device; // ticks
} moment;

// False: the driver does not say.
static bool read_clocks(const mez_device *device, moment *now)
{
    uint64_t drivers_own;
    const uint64_t before = mez_time_now();
    if (device->clock.resolution == 0 || ZE_RESULT(zeDeviceGetGlobalTimestamps, device->ze,
                                             &drivers_own, &now->device) != ZE_RESULT_SUCCESS)
        return false;
    now->host = before + (mez_time_now() - before) / 2;
    return true;
}

// Times before the moment, however often the device's clock has wrapped before.
static uint64_t host_time(const mez_clock *clock, const moment *now, uint64_t ticks)
{
    uint64_t start = ticks, end = now->device;
    mez_clock_convert(clock, &start, &end);
    return now->host - (end - start);
}

bool mez_traced_measure(
    const mez_queue *queue, const mez_event *event, mez_trace_execution *execution)
{
    moment now;
    ze_kernel_timestamp_result_t times;
    const mez_clock *clock = &queue->device->clock;
    if (ZE_RESULT(zeEventQueryKernelTimestamp, event->ze, &times) != ZE_RESULT_SUCCESS ||
        !read_clocks(queue->device, &now))
        return false;
    execution->begin = host_time(clock, &now, times.global.kernelStart);
    execution->end = host_time(clock, &now, times.global.kernelEnd);
    return true;
}
