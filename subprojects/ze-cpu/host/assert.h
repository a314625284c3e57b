// SPDX-License-Identifier: MIT
//
// Failed asserts of kernels: their messages, kept until somebody receives them, and who is to receive them.
//
// Each device has a store, which serves its parts, too. It holds as much as that of Intel's driver; what comes
// when it is full is lost.
#ifndef ZE_CPU_ASSERT_H
#define ZE_CPU_ASSERT_H

#include "settings.h"

#include <engine.h>
#include <level_zero/ze_api.h>
#include <stdatomic.h>
#include <stdbool.h>

// What a launch listens with.
struct zc_launch_asserts {
    struct zc_assert_listener listener; // first: the listener's function gets its address
    ze_device_handle_t device;          // whose store is filled
    atomic_bool failed;
};

// To be initialised before each run.
void zc_launch_asserts_init(struct zc_launch_asserts *asserts, ze_device_handle_t device);

// What a queue has to report about the launches it has run. Zero-initialised: nothing.
struct zc_assert_news {
    atomic_bool for_waiter; // of the queue itself
    atomic_bool for_fence;  // the next one
};

static inline bool zc_asserts_are_native(void)
{
    return zc_settings.asserts != ZC_ASSERTS_NONE;
}

// A launch of a kernel that may fail asserts is over.
void zc_assert_note_launch(
    struct zc_assert_news *news, ze_event_handle_t signal, const struct zc_launch_asserts *asserts);
// A fence is about to be signalled.
void zc_assert_note_fence(struct zc_assert_news *news, ze_event_handle_t fence);

// For calls that have waited, with `result`: what they return. `news` is theirs. Where the manner
// is to abort, they may not return.
ze_result_t zc_assert_report(ze_result_t result, atomic_bool *news);
// Likewise for what aborts whatever it has to do with the assert.
void zc_assert_abort_on_any(void);

#endif
