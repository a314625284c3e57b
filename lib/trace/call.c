// SPDX-License-Identifier: MIT
//
// Calls of the library and of the driver, and spans, as trace points.

#include "trace/call.h"

#include <mezzanine/xpti.h>

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "trace/xpti.h"

// --- Calls of the library

static void notify_of_call(const mez_trace_call *call, uint16_t point, mez_trace_result *result)
{
    mez_trace_arguments arguments = call->arguments;
    const mez_xpti_function function = {
        .name = call->name, .arguments = &arguments, .result = result};
    mez_trace_notify(MEZ_TRACE_CALLS, point, call->event, call->instance, &function);
}

static void keep_arguments(mez_trace_call *call, const mez_trace_arguments *arguments)
{
    memcpy(call->values, arguments->values, arguments->count * sizeof *call->values);
    call->arguments = *arguments;
    call->arguments.values = call->values;
}

void mez_trace_call_begin(mez_trace_call *call, const char *name, const mez_location *where,
    const mez_trace_arguments *arguments)
{
    call->name = name;
    call->event = NULL;
    if (!mez_trace_wanted(MEZ_TRACE_CALLS, 0))
        return;
    keep_arguments(call, arguments);
    call->event = mez_trace_make_event(name, where, &call->instance);
    if (!call->event)
        return;
    call->outer = mez_trace_scope_enter(call->event->unique_id);
    notify_of_call(call, MEZ_XPTI_FUNCTION_WITH_ARGS_BEGIN, NULL);
    call->began = mez_time_now();
}

void mez_trace_failure(mez_error error)
{
    char story[4096];
    if (!mez_trace_is_news(error) ||
        !mez_trace_wanted(mez_trace_tasks_stream(), MEZ_XPTI_DIAGNOSTICS))
        return;
    mez_error_get_story(error, story, sizeof story);
    mez_trace_diagnostics(story);
}

mez_error mez_trace_call_end(mez_trace_call *call, mez_error error)
{
    if (call->event) {
        mez_trace_result result = {.duration = mez_time_now() - call->began,
            .value = error.value,
            .name = mez_failed(error) ? mez_error_get_name(error) : "success"};
        notify_of_call(call, MEZ_XPTI_FUNCTION_WITH_ARGS_END, &result);
        mez_trace_scope_leave(call->outer);
        xptiReleaseEvent(call->event);
    }
    mez_trace_failure(error);
    return error;
}

// --- Calls of the driver

static void notify_of_native(const mez_trace_native *call, uint16_t point, mez_trace_result *result)
{
    mez_trace_arguments arguments = *call->arguments;
    const mez_xpti_function function = {
        .name = call->name, .arguments = &arguments, .result = result};
    mez_trace_notify(MEZ_TRACE_ZE, point, NULL, call->instance, &function);
}

void mez_trace_native_begin(
    mez_trace_native *call, const char *name, const mez_trace_arguments *arguments)
{
    *call = (mez_trace_native){.name = name, .arguments = arguments};
    if (!mez_trace_wanted(MEZ_TRACE_ZE, 0))
        return;
    call->instance = xptiGetUniqueId();
    notify_of_native(call, MEZ_XPTI_FUNCTION_WITH_ARGS_BEGIN, NULL);
    call->began = mez_time_now();
}

int32_t mez_trace_native_end(const mez_trace_native *call, int32_t result)
{
    if (!call->instance)
        return result;
    mez_trace_result reported = {.value = result,
        .name = mez_code_level_zero_name(result),
        .duration = mez_time_now() - call->began};
    notify_of_native(call, MEZ_XPTI_FUNCTION_WITH_ARGS_END, &reported);
    return result;
}

// --- Spans

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
