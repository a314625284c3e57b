// SPDX-License-Identifier: MIT

#include "ze/wait.h"

#include <time.h>

#define SLICE 50000000u // ns: long enough not to cost, short enough to notice

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

mez_deadline mez_deadline_after(uint64_t nanoseconds)
{
    const uint64_t start = nanoseconds == MEZ_NEVER ? 0 : now();
    return nanoseconds >= MEZ_NEVER - start ? MEZ_NEVER : start + nanoseconds;
}

// How long the next call may last; 0 when the deadline has passed.
static uint64_t next_slice(mez_deadline deadline)
{
    if (deadline == MEZ_NEVER)
        return SLICE;
    const uint64_t time = now();
    const uint64_t left = deadline > time ? deadline - time : 0;
    return left < SLICE ? left : SLICE;
}

static mez_error timed_out(void)
{
    return (mez_error){.value = MEZ_ERRC_TIMEOUT, .origin = MEZ_CATEGORY_RUNTIME};
}

mez_error mez_wait_fence(ze_fence_handle_t fence, mez_deadline deadline)
{
    for (;;) {
        const uint64_t slice = next_slice(deadline);
        const ze_result_t result = ZE_RESULT(zeFenceHostSynchronize, fence, slice);
        if (result != ZE_RESULT_NOT_READY)
            return mez_ze_checked(result, "zeFenceHostSynchronize(fence)", __FILE__, __LINE__);
        if (slice == 0)
            return timed_out();
    }
}

mez_error mez_wait_event(ze_event_handle_t event, mez_deadline deadline)
{
    for (;;) {
        const uint64_t slice = next_slice(deadline);
        const ze_result_t result = ZE_RESULT(zeEventHostSynchronize, event, slice);
        if (result != ZE_RESULT_NOT_READY)
            return mez_ze_checked(result, "zeEventHostSynchronize(event)", __FILE__, __LINE__);
        if (slice == 0)
            return timed_out();
    }
}
