// SPDX-License-Identifier: MIT
//
// For this folder: the dispatcher's side of the streams.

#ifndef MEZ_TRACE_STREAMS_H
#define MEZ_TRACE_STREAMS_H

#include <mezzanine/xpti.h>

#include "trace/trace.h"

static inline mez_xpti_stream mez_trace_id(mez_trace_stream stream)
{
    return atomic_load_explicit(&mez_trace_ids[stream], memory_order_relaxed);
}

// Does anybody want this trace point now?
bool mez_trace_wanted(mez_trace_stream stream, uint16_t point);

// Where tasks are told: the stream for debugging as soon as somebody subscribes to that.
mez_trace_stream mez_trace_tasks_stream(void);

// How much metadata its subscribers want: MEZ_XPTI_DETAIL_*.
uint8_t mez_trace_detail(mez_trace_stream stream);

// What all nodes and edges belong to. NULL: the dispatcher had no memory.
mez_xpti_event *mez_trace_graph(void);

void mez_trace_notify(mez_trace_stream stream, uint16_t point, mez_xpti_event *event,
    uint64_t instance, const void *user_data);

// ns of CLOCK_MONOTONIC.
uint64_t mez_trace_now(void);

#endif
