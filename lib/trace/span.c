// SPDX-License-Identifier: MIT

#include "trace/span.h"

#include <stdio.h>

#include "trace/event.h"
#include "trace/streams.h"

_Static_assert((int)MEZ_TRACE_BARRIER == (int)MEZ_XPTI_BARRIER_BEGIN, "the same trace point");
_Static_assert((int)MEZ_TRACE_WAIT == (int)MEZ_XPTI_WAIT_BEGIN, "the same trace point");

void mez_trace_span_begin(mez_trace_span *span, uint16_t point, const mez_location *where,
    const char *what, const void *object)
{
    char name[64];
    *span = (mez_trace_span){.stream = mez_trace_tasks_stream(), .begin = point};
    if (!mez_trace_wanted(span->stream, point) && !mez_trace_wanted(span->stream, point + 1))
        return;
    snprintf(name, sizeof name, "%s[%p]", what, object);
    span->event = mez_trace_make_event(name, where, &span->instance);
    if (!span->event)
        return;
    span->user_data = span->event->payload->name; // the dispatcher's copy
    mez_trace_notify(span->stream, point, span->event, span->instance, span->user_data);
}

void mez_trace_span_end(mez_trace_span *span)
{
    if (!span->event)
        return;
    mez_trace_notify(span->stream, span->begin + 1, span->event, span->instance, span->user_data);
    xptiReleaseEvent(span->event);
}
