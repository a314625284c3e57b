// SPDX-License-Identifier: MIT

#include "trace/call.h"

#include <string.h>

#include "trace/event.h"
#include "trace/streams.h"

static void notify(const mez_trace_call *call, uint16_t point, mez_trace_result *result)
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
    notify(call, MEZ_XPTI_FUNCTION_WITH_ARGS_BEGIN, NULL);
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
        notify(call, MEZ_XPTI_FUNCTION_WITH_ARGS_END, &result);
        mez_trace_scope_leave(call->outer);
        xptiReleaseEvent(call->event);
    }
    mez_trace_failure(error);
    return error;
}
