// SPDX-License-Identifier: MIT

#include "ze/wait.h"

#include <time.h>

#include "base/process.h"

#define LONGEST_SLEEP 1000000u // ns
#define SHORTEST_SLEEP 10000u  // ns

mez_deadline mez_deadline_from_now(uint64_t nanoseconds)
{
    if (nanoseconds == MEZ_PAST)
        return MEZ_PAST;
    const uint64_t start = mez_time_now();
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
    const uint64_t time = mez_time_now();
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
    const char *call; // as the story shows it
    const mez_wait_guard *guard;
    void *owner; // of the guard
    const mez_ze_newer_functions *newer;
    union {
        ze_fence_handle_t fence;
        ze_event_handle_t event;
        ze_command_list_handle_t list;
    };
} waited;

static mez_error timed_out(void)
{
    return (mez_error){.value = MEZ_ERRC_TIMEOUT, .origin = MEZ_CATEGORY_RUNTIME};
}

__attribute__((noinline, cold)) static mez_error fail(const waited *waited, ze_result_t result)
{
    return waited->guard->failed(
        waited->owner, mez_ze_failure(result, waited->call, __FILE__, __LINE__));
}

// What a look means that is not NOT_READY.
static inline mez_error outcome(const waited *waited, ze_result_t result)
{
    return __builtin_expect(result == ZE_RESULT_SUCCESS, 1) ? mez_ok() : fail(waited, result);
}

static uint64_t length_of_sleep(uint64_t waited_already, uint64_t left)
{
    uint64_t length = smaller(waited_already / 8, LONGEST_SLEEP);
    if (length < SHORTEST_SLEEP)
        length = SHORTEST_SLEEP;
    return smaller(length, left);
}

// In another thread than the one that ends the program, and with it the loader.
__attribute__((cold)) static mez_error left_alone(void)
{
    return mez_error_make(MEZ_ERRC_WRONG_STATE,
        "the program has begun to end, and with it the Level Zero driver, before what is waited "
        "for has ended");
}

static mez_error wait_longer(const waited *waited, mez_deadline deadline)
{
    const uint64_t start = mez_time_now();
    for (uint64_t time = start;; time = mez_time_now()) {
        MEZ_TRY(waited->guard->look(waited->owner, time));
        if (time >= deadline)
            return timed_out();
        sleep_for(length_of_sleep(time - start, deadline - time));
        if (mez_process_is_closed())
            return left_alone();
        const ze_result_t result = waited->look(waited, 0);
        if (result != ZE_RESULT_NOT_READY)
            return outcome(waited, result);
    }
}

static mez_error only_look(const waited *waited)
{
    MEZ_TRY(waited->guard->look(waited->owner, 0));
    return timed_out();
}

// Goes on where a first look found nothing.
static mez_error look_on(const waited *waited, mez_deadline deadline)
{
    ze_result_t result = ZE_RESULT_NOT_READY;
    if (deadline == MEZ_PAST)
        return only_look(waited);
    if (deadline != MEZ_NEVER)
        result = waited->look(waited, smaller(time_left(deadline), MEZ_FIRST_LOOK));
    return result == ZE_RESULT_NOT_READY ? wait_longer(waited, deadline) : outcome(waited, result);
}

// The deadline is read only by who has to wait: mostly there is no need to ask for the time.
static mez_error wait_for(const waited *waited, mez_deadline deadline)
{
    const ze_result_t result = waited->look(waited, deadline == MEZ_NEVER ? MEZ_FIRST_LOOK : 0);
    return result == ZE_RESULT_NOT_READY ? look_on(waited, deadline) : outcome(waited, result);
}

static ze_result_t look_at_fence(const waited *waited, uint64_t timeout)
{
    return ZE_RESULT(zeFenceHostSynchronize, waited->fence, timeout);
}

mez_error mez_wait_fence(
    ze_fence_handle_t fence, mez_deadline deadline, const mez_wait_guard *guard, void *owner)
{
    const waited waited = {.look = look_at_fence,
        .call = "zeFenceHostSynchronize(fence)",
        .guard = guard,
        .owner = owner,
        .fence = fence};
    return wait_for(&waited, deadline);
}

static ze_result_t look_at_event(const waited *waited, uint64_t timeout)
{
    return ZE_RESULT(zeEventHostSynchronize, waited->event, timeout);
}

mez_error mez_wait_event(
    ze_event_handle_t event, mez_deadline deadline, const mez_wait_guard *guard, void *owner)
{
    const waited waited = {.look = look_at_event,
        .call = "zeEventHostSynchronize(event)",
        .guard = guard,
        .owner = owner,
        .event = event};
    return wait_for(&waited, deadline);
}

static ze_result_t look_at_list(const waited *waited, uint64_t timeout)
{
    return ZE_NEWER_RESULT(waited->newer, zeCommandListHostSynchronize, waited->list, timeout);
}

mez_error mez_wait_list_on(const mez_ze_newer_functions *newer, ze_command_list_handle_t list,
    mez_deadline deadline, ze_result_t result, const mez_wait_guard *guard, void *owner)
{
    const waited waited = {.look = look_at_list,
        .call = "zeCommandListHostSynchronize(list)",
        .guard = guard,
        .owner = owner,
        .newer = newer,
        .list = list};
    return result == ZE_RESULT_NOT_READY ? look_on(&waited, deadline) : outcome(&waited, result);
}

mez_error mez_wait_list(const mez_ze_newer_functions *newer, ze_command_list_handle_t list,
    mez_deadline deadline, const mez_wait_guard *guard, void *owner)
{
    const uint64_t first = deadline == MEZ_NEVER ? MEZ_FIRST_LOOK : 0;
    return mez_wait_list_on(newer, list, deadline,
        ZE_NEWER_RESULT(newer, zeCommandListHostSynchronize, list, first), guard, owner);
}
