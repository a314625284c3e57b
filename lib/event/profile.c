// SPDX-License-Identifier: MIT

#include "device/lost.h"
#include "event/event.h"

static mez_error check(const mez_event *event)
{
    if (event->of_host)
        return mez_error_make(
            MEZ_ERRC_PROFILING, "the event has no times: its task is none of the device's");
    if (!(event->sort & MEZ_EVENT_TIMED))
        return mez_error_make(MEZ_ERRC_PROFILING,
            "the event has no times: its queue was created without mez_queue_params.profiling");
    const mez_device *device = event->device;
    if (device->clock.resolution == 0)
        return mez_error_make(MEZ_ERRC_PROFILING,
            "device \"%s\" does not say how fast its clock runs", device->info.name);
    return mez_ok();
}

mez_error mez_event_get_profile(mez_event *event, mez_event_profile *profile)
{
    MEZ_REQUIRE(event, NULL);
    MEZ_REQUIRE(profile, NULL);
    *profile = (mez_event_profile){0};
    MEZ_TRY(check(event));
    MEZ_TRY(mez_event_status(event));
    ze_kernel_timestamp_result_t times;
    MEZ_TRY(mez_platform_note_loss(
        event->platform, ZE(zeEventQueryKernelTimestamp, event->ze, &times)));
    *profile =
        (mez_event_profile){.start = times.global.kernelStart, .end = times.global.kernelEnd};
    mez_clock_convert(&event->device->clock, &profile->start, &profile->end);
    return mez_ok();
}
