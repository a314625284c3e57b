// SPDX-License-Identifier: MIT

#include <mezzanine/driver.h>

#include "context/context.h"

static mez_driver_info describe(const mez_caps *caps)
{
    return (mez_driver_info){
        .api_version = caps->api_version,
        .driver_version = caps->driver_version,
        .wrapped_handles = caps->wrapped,
        .in_order_lists = caps->in_order_lists,
        .counter_events = caps->counter_events != MEZ_COUNTER_EVENTS_NONE,
        .host_functions = caps->host_functions,
        .linked_modules = caps->module_program,
        .large_allocations = caps->relaxed_allocation_limits,
        .extensions = caps->extensions,
        .extension_count = caps->extension_count,
        .functions = caps->functions,
        .function_count = MEZ_NEWER_FUNCTION_COUNT,
    };
}

void mez_context_get_driver_info(const mez_context *context, mez_driver_info *info)
{
    if (!info)
        return;
    *info = context ? describe(&context->platform.caps) : (mez_driver_info){0};
}
