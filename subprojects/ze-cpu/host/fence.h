// SPDX-License-Identifier: MIT
//
// A fence is an event that a queue signals behind the lists of one submission.
#ifndef ZE_CPU_FENCE_H
#define ZE_CPU_FENCE_H

#include "event.h"

struct _ze_fence_handle_t {
    struct _ze_event_handle_t event;
    atomic_uint references; // of the program, and of each submission that has not signalled it
};

// For a submission. The program may destroy the fence as soon as it knows the lists to have ended.
ze_fence_handle_t zc_fence_ref(ze_fence_handle_t fence);
void zc_fence_unref(ze_fence_handle_t fence);

#endif
