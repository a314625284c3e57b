// SPDX-License-Identifier: MIT
//
// Why something can't run, in the sentences of `mez check`.

#include <string.h>

#include "check/place.h"
#include "check_report.h"
#include "wrap.h"

// The same sentence about the same requirement, for another device; NULL: it has none.
static const mez_reason *find_same(const mez_verdict *verdict, const mez_reason *reason)
{
    for (uint32_t i = 0; i < verdict->count; i++)
        if (verdict->reasons[i].requirement == reason->requirement &&
            strcmp(verdict->reasons[i].text, reason->text) == 0)
            return &verdict->reasons[i];
    return NULL;
}

static bool is_told(
    const struct check_report *report, uint32_t unit, uint32_t device, const mez_reason *reason)
{
    for (uint32_t d = 0; d < device; d++)
        if (find_same(report_verdict(report, unit, d), reason))
            return true;
    return false;
}

static void print_devices(FILE *stream, const struct check_report *report, uint32_t unit,
    uint32_t first, const mez_reason *reason)
{
    mez_text text = {0};
    mez_text_add(&text, "%s ", reason->answer == MEZ_LACKS ? "not on" : "perhaps not on");
    for (uint32_t d = first; d < report->device_count; d++)
        if (find_same(report_verdict(report, unit, d), reason))
            mez_text_add(&text, "%s%s", d > first ? ", " : "", report->devices[d].name);
    print_wrapped(stream, 4, REPORT_WIDTH, mez_text_get(&text));
    mez_text_finish(&text);
}

static void print_reason(FILE *stream, const struct check_report *report, uint32_t unit,
    uint32_t device, const mez_reason *reason)
{
    mez_text place = {0};
    mez_check_add_place(&place, reason->requirement);
    print_wrapped(stream, 2, REPORT_WIDTH, reason->text);
    if (!report_is_of_module(reason->requirement))
        print_wrapped(stream, 4, REPORT_WIDTH, mez_text_get(&place));
    print_devices(stream, report, unit, device, reason);
    mez_text_finish(&place);
}

// Those of the whole module, or those of the kernel alone, under a heading if there are any.
static bool print_unit(FILE *stream, const struct check_report *report, uint32_t unit,
    bool of_module, const char *heading)
{
    bool any = false;
    for (uint32_t d = 0; d < report->device_count; d++) {
        const mez_verdict *verdict = report_verdict(report, unit, d);
        for (uint32_t i = 0; i < verdict->count; i++) {
            const mez_reason *reason = &verdict->reasons[i];
            if (report_is_of_module(reason->requirement) != of_module ||
                is_told(report, unit, d, reason))
                continue;
            if (!any)
                fprintf(stream, "%s:\n", heading);
            print_reason(stream, report, unit, d, reason);
            any = true;
        }
    }
    return any;
}

static bool print_binary(
    FILE *stream, const struct check_report *report, const mez_check_binary *binary)
{
    bool any = false;
    for (uint32_t i = 0; i < binary->unit_count; i++) {
        char name[UNIT_NAME];
        const uint32_t unit = binary->first_unit + i;
        report_unit_name(&report->units->units[unit], name);
        const bool whole = !report->units->units[unit].kernel;
        any |= print_unit(stream, report, unit, false, whole ? binary->binary->source : name);
    }
    if (binary->unit_count > 0)
        any |= print_unit(stream, report, binary->first_unit, true, binary->binary->source);
    return any;
}

// --- What the devices have that lack something

static bool lacks_something(const struct check_report *report, uint32_t device)
{
    for (uint32_t u = 0; u < report->units->count; u++)
        if (report_verdict(report, u, device)->answer == MEZ_LACKS)
            return true;
    return false;
}

static void add_aspects(mez_text *text, const mez_target *target)
{
    const char *before = "";
    mez_aspects_each(&target->aspects, aspect)
    {
        mez_text_add(text, "%s%s", before, mez_aspect_name(aspect));
        before = ", ";
    }
    if (mez_aspects_empty(&target->aspects))
        mez_text_add(text, target->aspects_known ? "no aspect" : "aspects that are not known");
}

static void add_sizes(mez_text *text, const mez_target *target)
{
    mez_text_add(text, "; sub-groups of ");
    for (uint32_t i = 0; i < target->sub_group_size_count; i++)
        mez_text_add(text, "%s%u", i ? ", " : "", (unsigned)target->sub_group_sizes[i]);
    if (target->sub_group_size_count == 0)
        mez_text_add(text, "sizes that are not known");
    if (target->max_group_size)
        mez_text_add(
            text, "; work-groups of at most %u work-items", (unsigned)target->max_group_size);
}

static void print_device(FILE *stream, const mez_check_device *device)
{
    mez_text text = {0};
    mez_text_add(&text, "%s has ", device->name);
    add_aspects(&text, device->target);
    add_sizes(&text, device->target);
    print_wrapped(stream, 0, REPORT_WIDTH, mez_text_get(&text));
    mez_text_finish(&text);
}

void report_print_reasons(FILE *stream, const struct check_report *report)
{
    bool any = false;
    for (uint32_t i = 0; i < report->units->binary_count; i++)
        any |= print_binary(stream, report, &report->units->binaries[i]);
    if (any)
        putc('\n', stream);
    bool described = false;
    for (uint32_t d = 0; d < report->device_count; d++) {
        if (!lacks_something(report, d))
            continue;
        print_device(stream, &report->devices[d]);
        described = true;
    }
    if (described)
        putc('\n', stream);
}
