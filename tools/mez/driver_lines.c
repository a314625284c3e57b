// SPDX-License-Identifier: MIT

#include "driver_lines.h"

#include <stdarg.h>
#include <stdio.h>

#define LABEL "  %-17s "

struct lines {
    char *text;
    size_t size;
    size_t length;
};

__attribute__((format(printf, 2, 3))) static void add(struct lines *lines, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int wanted =
        vsnprintf(lines->text + lines->length, lines->size - lines->length, format, arguments);
    va_end(arguments);
    if (wanted > 0)
        lines->length += (size_t)wanted;
    if (lines->length >= lines->size)
        lines->length = lines->size - 1;
}

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
    struct lines lines = {.text = text, .size = size};
    const char *before = "";
    text[0] = '\0';
    add(&lines, LABEL, "driver has");
    for (size_t i = 0; i < sizeof features / sizeof *features; i++) {
        if (!features[i].there)
            continue;
        add(&lines, "%s%s", before, features[i].name);
        before = ", ";
    }
    add(&lines, "%s\n", *before ? "" : "nothing beyond Level Zero 1.4");
    if (info->wrapped_handles)
        add(&lines, LABEL "the loader wraps it, so its newer functions can't be called\n",
            "handles");
}

static const char *origin_text(mez_function_origin origin)
{
    return origin == MEZ_FUNCTION_OF_LOADER   ? "in the loader"
           : origin == MEZ_FUNCTION_OF_DRIVER ? "from the driver"
                                              : "not available";
}

static void add_function(
    struct lines *lines, const char *label, const mez_driver_function *function)
{
    add(lines, LABEL "%s", label, function->name);
    if (function->since)
        add(lines, " (%u.%u)", (unsigned)(function->since >> 16),
            (unsigned)(function->since & 0xffff));
    add(lines, ": %s\n", origin_text(function->origin));
}

void driver_details(const mez_driver_info *info, char *text, size_t size)
{
    struct lines lines = {.text = text, .size = size};
    text[0] = '\0';
    for (size_t i = 0; i < info->function_count; i++)
        add_function(&lines, i ? "" : "functions", &info->functions[i]);
    for (size_t i = 0; i < info->extension_count; i++) {
        const mez_driver_extension *extension = &info->extensions[i];
        add(&lines, LABEL "%s %u.%u\n", i ? "" : "extensions", extension->name,
            (unsigned)(extension->version >> 16), (unsigned)(extension->version & 0xffff));
    }
    if (info->extension_count == 0)
        add(&lines, LABEL "none\n", "extensions");
}
