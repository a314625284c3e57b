// SPDX-License-Identifier: MIT

#include "driver_lines.h"

#include "base/text.h"

#define LABEL "  %-17s "

void driver_summary(const mez_driver_info *info, char *text, size_t size)
{
    const struct {
        bool there;
        const char *name;
    } features[] = {
        {info->in_order_lists, "in-order lists"},
        {info->counter_events, "counter-based events"},
        {info->host_functions, "host functions"},
        {info->linked_modules, "linked modules"},
        {info->large_allocations, "large allocations"},
    };
    mez_bounded lines = mez_bounded_begin(text, size);
    const char *before = "";
    mez_bounded_print(&lines, LABEL, "driver has");
    for (size_t i = 0; i < sizeof features / sizeof *features; i++) {
        if (!features[i].there)
            continue;
        mez_bounded_print(&lines, "%s%s", before, features[i].name);
        before = ", ";
    }
    mez_bounded_print(&lines, "%s\n", *before ? "" : "nothing beyond Level Zero 1.4");
    if (info->wrapped_handles)
        mez_bounded_print(&lines,
            LABEL "the loader wraps it, so its newer functions can't be called\n", "handles");
}

static const char *origin_text(mez_function_origin origin)
{
    return origin == MEZ_FUNCTION_OF_LOADER   ? "in the loader"
           : origin == MEZ_FUNCTION_OF_DRIVER ? "from the driver"
                                              : "not available";
}

static void add_function(mez_bounded *lines, const char *label, const mez_driver_function *function)
{
    mez_bounded_print(lines, LABEL "%s", label, function->name);
    if (function->since)
        mez_bounded_print(lines, " (%u.%u)", (unsigned)(function->since >> 16),
            (unsigned)(function->since & 0xffff));
    mez_bounded_print(lines, ": %s\n", origin_text(function->origin));
}

void driver_details(const mez_driver_info *info, char *text, size_t size)
{
    mez_bounded lines = mez_bounded_begin(text, size);
    for (size_t i = 0; i < info->function_count; i++)
        add_function(&lines, i ? "" : "functions", &info->functions[i]);
    for (size_t i = 0; i < info->extension_count; i++) {
        const mez_driver_extension *extension = &info->extensions[i];
        mez_bounded_print(&lines, LABEL "%s %u.%u\n", i ? "" : "extensions", extension->name,
            (unsigned)(extension->version >> 16), (unsigned)(extension->version & 0xffff));
    }
    if (info->extension_count == 0)
        mez_bounded_print(&lines, LABEL "none\n", "extensions");
}
