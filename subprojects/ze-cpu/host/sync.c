// SPDX-License-Identifier: MIT
//
// Waiting on futexes.
#include "sync.h"

#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_SECOND UINT64_C(1000000000)
// Sleepers look as often as this whether the device is lost: nobody wakes them for that.
#define SLICE_NS UINT64_C(20000000)

uint64_t zc_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * NS_PER_SECOND + (uint64_t)now.tv_nsec;
}

uint64_t zc_deadline(uint64_t timeout)
{
    const uint64_t now = zc_now();
    return timeout > ZC_FOREVER - now ? ZC_FOREVER : now + timeout;
}

// Sleeps while *word == expected, until woken, until the deadline, or for a slice of time. Returns
// early for no reason, too: callers loop.
static void futex_wait(atomic_uint *word, unsigned expected, uint64_t deadline, bool shared)
{
    const int scope = shared ? 0 : FUTEX_PRIVATE_FLAG;
    const uint64_t slice_end = zc_now() + SLICE_NS;
    const uint64_t end = deadline < slice_end ? deadline : slice_end;
    // The bitset variant takes an absolute time on CLOCK_MONOTONIC.
    const struct timespec until = {
        .tv_sec = (time_t)(end / NS_PER_SECOND),
        .tv_nsec = (long)(end % NS_PER_SECOND),
    };
    syscall(
        SYS_futex, word, FUTEX_WAIT_BITSET | scope, expected, &until, NULL, FUTEX_BITSET_MATCH_ANY);
}

static void futex_wake_all(atomic_uint *word, bool shared)
{
    const int scope = shared ? 0 : FUTEX_PRIVATE_FLAG;
    syscall(SYS_futex, word, FUTEX_WAKE | scope, INT_MAX, NULL, NULL, 0);
}

static bool is_over(uint64_t deadline)
{
    return deadline != ZC_FOREVER && zc_now() >= deadline;
}

enum completion_state { PENDING, PENDING_WITH_SLEEPERS, FINISHED, FAILED };
#define STATE 3u
#define SHARED 4u // beside the state, for ever

static unsigned sharing(const struct zc_completion *completion)
{
    return atomic_load_explicit(&completion->state, memory_order_relaxed) & SHARED;
}

void zc_completion_share(struct zc_completion *completion)
{
    atomic_fetch_or(&completion->state, SHARED);
}

void zc_completion_finish(struct zc_completion *completion, bool ok)
{
    const unsigned shared = sharing(completion);
    const unsigned before = atomic_exchange(&completion->state, (ok ? FINISHED : FAILED) | shared);
    if ((before & STATE) == PENDING_WITH_SLEEPERS)
        futex_wake_all(&completion->state, shared);
}

void zc_completion_reset(struct zc_completion *completion)
{
    unsigned state = atomic_load(&completion->state);
    while ((state & STATE) >= FINISHED)
        if (atomic_compare_exchange_weak(&completion->state, &state, PENDING | (state & SHARED)))
            return;
}

bool zc_completion_is_over(const struct zc_completion *completion)
{
    return (atomic_load_explicit(&completion->state, memory_order_acquire) & STATE) >= FINISHED;
}

static bool is_hopeless(struct zc_wait_devices devices)
{
    return zc_are_lost(devices.waiting) || zc_are_lost(devices.completing);
}

ze_result_t zc_completion_status(
    const struct zc_completion *completion, struct zc_wait_devices devices)
{
    switch (atomic_load_explicit(&completion->state, memory_order_acquire) & STATE) {
    case FINISHED:
        return ZE_RESULT_SUCCESS;
    case FAILED:
        return ZE_RESULT_ERROR_DEVICE_LOST;
    default: // nothing will complete on a lost device
        return is_hopeless(devices) ? ZE_RESULT_ERROR_DEVICE_LOST : ZE_RESULT_NOT_READY;
    }
}

static void sleep_until_finished(struct zc_completion *completion, uint64_t deadline)
{
    const unsigned shared = sharing(completion), asleep = PENDING_WITH_SLEEPERS | shared;
    unsigned state = PENDING | shared;
    if (!atomic_compare_exchange_strong(&completion->state, &state, asleep) &&
        (state & STATE) >= FINISHED)
        return;
    futex_wait(&completion->state, asleep, deadline, shared);
}

ze_result_t zc_completion_wait(
    struct zc_completion *completion, struct zc_wait_devices devices, uint64_t timeout)
{
    ze_result_t status = zc_completion_status(completion, devices);
    if (status != ZE_RESULT_NOT_READY || timeout == 0)
        return status;
    const uint64_t deadline = zc_deadline(timeout);
    for (int i = 0; i < ZC_SPINS; i++) {
        zc_pause();
        status = zc_completion_status(completion, devices);
        if (status != ZE_RESULT_NOT_READY)
            return status;
    }
    while (status == ZE_RESULT_NOT_READY && !is_over(deadline)) {
        sleep_until_finished(completion, deadline);
        status = zc_completion_status(completion, devices);
    }
    return status;
}

void zc_counter_advance(struct zc_counter *counter)
{
    atomic_fetch_add(&counter->value, 1);
    if (atomic_load(&counter->waiters))
        futex_wake_all(&counter->value, false);
}

bool zc_counter_has_reached(const struct zc_counter *counter, unsigned target)
{
    return (int)(atomic_load(&counter->value) - target) >= 0;
}

static bool sleep_until_reached(
    struct zc_counter *counter, unsigned target, zc_device_set device, uint64_t deadline)
{
    for (;;) {
        const unsigned value = atomic_load(&counter->value);
        if ((int)(value - target) >= 0)
            return true;
        if (is_over(deadline) || zc_are_lost(device))
            return false;
        futex_wait(&counter->value, value, deadline, false);
    }
}

bool zc_counter_wait(
    struct zc_counter *counter, unsigned target, zc_device_set device, uint64_t timeout)
{
    if (zc_counter_has_reached(counter, target))
        return true;
    if (timeout == 0)
        return false;
    const uint64_t deadline = zc_deadline(timeout);
    for (int i = 0; i < ZC_SPINS; i++) {
        zc_pause();
        if (zc_counter_has_reached(counter, target))
            return true;
    }
    atomic_fetch_add(&counter->waiters, 1);
    const bool reached = sleep_until_reached(counter, target, device, deadline);
    atomic_fetch_sub(&counter->waiters, 1);
    return reached;
}

bool zc_turn_take(struct zc_turn *turn, zc_device_set device)
{
    while (atomic_exchange(&turn->taken, 1)) {
        if (zc_are_lost(device))
            return false;
        futex_wait(&turn->taken, 1, ZC_FOREVER, false);
    }
    return true;
}

void zc_turn_release(struct zc_turn *turn)
{
    atomic_store(&turn->taken, 0);
    futex_wake_all(&turn->taken, false);
}
