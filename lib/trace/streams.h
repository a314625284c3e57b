// SPDX-License-Identifier: MIT
//
// For this folder and queue/traced*.c: the dispatcher's side of the streams.
//
// Thread-safety: safe.

#ifndef MEZ_TRACE_STREAMS_H
#define MEZ_TRACE_STREAMS_H

#include <mezzanine/xpti.h>

#include "base/clock.h"
#include "trace/trace.h"

static inline mez_xpti_stream mez_trace_id(mez_trace_stream stream)
{
    return atomic_load_explicit(&mez_trace_ids[stream], memory_order_relaxed);
}

// Does anybody want this trace point now?
bool mez_trace_wanted(mez_trace_stream stream, uint16_t point);

// Where tasks are reported: the stream for debugging as soon as somebody subscribes to that.
mez_trace_stream mez_trace_tasks_stream(void);

// How much metadata its subscribers want: MEZ_XPTI_DETAIL_*.
uint8_t mez_trace_detail(mez_trace_stream stream);

void mez_trace_notify(mez_trace_stream stream, uint16_t point, mez_xpti_event *event,
    uint64_t instance, const void *user_data);

// What the thread is doing, as XPTI's universal id, for the layers below us. Ours give way to each other, the innermost wins; an id
// that a layer above us has set stays, as theirs is the place that the user knows. Entering returns what to leave with.
uint64_t mez_trace_scope_enter(uint64_t id);
void mez_trace_scope_leave(uint64_t outer);

#endif
