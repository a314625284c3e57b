// SPDX-License-Identifier: MIT
//
// Pairs of trace points around something that the calling thread does: a wait, a barrier's submission.
//
// Thread-safety: safe.

#ifndef MEZ_TRACE_SPAN_H
#define MEZ_TRACE_SPAN_H

#include <mezzanine/base.h>

#include "trace/trace.h"

// Trace points that a span begins with. Its end has the next number.
enum { MEZ_TRACE_BARRIER = 12, MEZ_TRACE_WAIT = 22 };

// On the caller's stack.
typedef struct mez_trace_span {
    mez_trace_stream stream;
    uint16_t begin;               // the trace point
    struct mez_xpti_event *event; // NULL: nobody wants to know, or no memory
    uint64_t instance;
    const void *user_data;
} mez_trace_span;

// The event is called `what[object]`, as "queue.wait[0x55..]", which is also the user data, as in SYCL's streams.
__attribute__((cold)) void mez_trace_span_begin(mez_trace_span *span, uint16_t point,
    const mez_location *where, const char *what, const void *object);
__attribute__((cold)) void mez_trace_span_end(mez_trace_span *span);

#endif
