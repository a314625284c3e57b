// SPDX-License-Identifier: MIT
//
// Events and their pools.
#ifndef ZE_CPU_EVENT_H
#define ZE_CPU_EVENT_H

#include "sync.h"

struct _ze_event_handle_t {
    struct zc_completion completion;
    bool timestamps; // of the pool: asked for kernel timestamps
    _Atomic uint64_t start, end;
};

struct _ze_event_pool_handle_t {
    uint32_t count;
    bool timestamps;
    struct _ze_event_handle_t events[];
};

// A command that signals the event starts or is over; takes the time where the pool asked for it.
void zc_event_begin(ze_event_handle_t event);
void zc_event_finish(ze_event_handle_t event, bool ok);
ze_kernel_timestamp_result_t zc_event_timestamps(const struct _ze_event_handle_t *event);

#endif
