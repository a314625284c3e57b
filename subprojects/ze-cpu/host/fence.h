// SPDX-License-Identifier: MIT
//
// A fence is an event that a queue signals behind the lists of one submission.
#ifndef ZE_CPU_FENCE_H
#define ZE_CPU_FENCE_H

#include "event.h"

struct _ze_fence_handle_t {
    struct _ze_event_handle_t event;
    atomic_bool submitted; // a queue will signal it, or has
};

#endif
