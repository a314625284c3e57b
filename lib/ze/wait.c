// SPDX-License-Identifier: MIT

#include "ze/wait.h"

#include <time.h>

#define FIRST_LOOK 50000u      // ns: short tasks end in the driver's own wait
#define LONGEST_SLEEP 1000000u // ns
#define SHORTEST_SLEEP 10000u  // ns

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

mez_deadline mez_deadline_after(uint64_t nanoseconds)
{
    if (nanoseconds == MEZ_NEVER || nanoseconds == MEZ_PAST)
        return nanoseconds;
    const uint64_t start = now();
    return nanoseconds > MEZ_NEVER - start ? MEZ_NEVER : start + nanoseconds;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t time_left(mez_deadline deadline)
{
    if (deadline == MEZ_NEVER)
        return MEZ_NEVER;
    const uint64_t time = now();
    return deadline > time ? deadline - time : 0;
}

static void sleep_for(uint64_t nanoseconds)
{
    const struct timespec time = {.tv_nsec = (long)nanoseconds};
    nanosleep(&time, NULL);
}

// What is waited for, and how to look at it once for at most `timeout` nanoseconds.
typedef struct waited {
    ze_result_t (*look)(const struct waited *waited, uint64_t timeout);
    const mez_ze_newer_functions *newer;
    union {
        ze_fence_handle_t fence;
        ze_event_handle_t event;
        ze_command_list_handle_t list;
    };
} waited;

// False when the deadline has passed.
static bool sleep_a_while(uint64_t start, mez_deadline deadline)
{
    const uint64_t left = time_left(deadline);
    uint64_t length = smaller((now() - start) / 8, LONGEST_SLEEP);
    if (length < SHORTEST_SLEEP)
        length = SHORTEST_SLEEP;
    if (left > 0)
        sleep_for(smaller(length, left));
    return left > 0;
}

static ze_result_t wait_longer(const waited *waited, mez_deadline deadline)
{
    const uint64_t start = now();
    ze_result_t result = ZE_RESULT_NOT_READY;
    while (result == ZE_RESULT_NOT_READY && sleep_a_while(start, deadline))
        result = waited->look(waited, 0);
    return result;
}

// The deadline is read only by who has to wait: mostly there is no need to ask for the time.
static ze_result_t wait_for(const waited *waited, mez_deadline deadline)
{
    const uint64_t first = deadline == MEZ_NEVER ? FIRST_LOOK : 0;
    ze_result_t result = waited->look(waited, first);
    if (deadline == MEZ_PAST)
        return result;
    if (result == ZE_RESULT_NOT_READY && first == 0)
        result = waited->look(waited, smaller(time_left(deadline), FIRST_LOOK));
    return result == ZE_RESULT_NOT_READY ? wait_longer(waited, deadline) : result;
}

static mez_error outcome(ze_result_t result, const char *call)
{
    if (__builtin_expect(result == ZE_RESULT_SUCCESS, 1))
        return mez_ok();
    if (result == ZE_RESULT_NOT_READY)
        return (mez_error){.value = MEZ_ERRC_TIMEOUT, .origin = MEZ_CATEGORY_RUNTIME};
    return mez_ze_failure(result, call, __FILE__, __LINE__);
}

static ze_result_t look_at_fence(const waited *waited, uint64_t timeout)
{
    return ZE_RESULT(zeFenceHostSynchronize, waited->fence, timeout);
}

mez_error mez_wait_fence(ze_fence_handle_t fence, mez_deadline deadline)
{
    const waited waited = {.look = look_at_fence, .fence = fence};
    return outcome(wait_for(&waited, deadline), "zeFenceHostSynchronize(fence)");
}

static ze_result_t look_at_event(const waited *waited, uint64_t timeout)
{
    return ZE_RESULT(zeEventHostSynchronize, waited->event, timeout);
}

mez_error mez_wait_event(ze_event_handle_t event, mez_deadline deadline)
{
    const waited waited = {.look = look_at_event, .event = event};
    return outcome(wait_for(&waited, deadline), "zeEventHostSynchronize(event)");
}

static ze_result_t look_at_list(const waited *waited, uint64_t timeout)
{
    return ZE_NEWER_RESULT(waited->newer, zeCommandListHostSynchronize, waited->list, timeout);
}

mez_error mez_wait_list(
    const mez_ze_newer_functions *newer, ze_command_list_handle_t list, mez_deadline deadline)
{
    const waited waited = {.look = look_at_list, .newer = newer, .list = list};
    return outcome(wait_for(&waited, deadline), "zeCommandListHostSynchronize(list)");
}
