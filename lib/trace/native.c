// SPDX-License-Identifier: MIT

#include "trace/native.h"

#include <mezzanine/xpti.h>

#include "base/error.h"
#include "trace/streams.h"

static void notify(const mez_trace_native *call, uint16_t point, mez_trace_result *result)
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
    notify(call, MEZ_XPTI_FUNCTION_WITH_ARGS_BEGIN, NULL);
    call->began = mez_time_now();
}

int32_t mez_trace_native_end(const mez_trace_native *call, int32_t result)
{
    if (!call->instance)
        return result;
    mez_trace_result reported = {.value = result,
        .name = mez_code_level_zero_name(result),
        .duration = mez_time_now() - call->began};
    notify(call, MEZ_XPTI_FUNCTION_WITH_ARGS_END, &reported);
    return result;
}
