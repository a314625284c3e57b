// SPDX-License-Identifier: MIT
//
// Why something can't run, in the sentences of `mez check`.

#include <string.h>

#include "check/describe.h"
#include "check_report.h"
#include "wrap.h"

// The same about the same requirement, for another device.
static bool says_the_same(const mez_reason *a, const mez_reason *b)
{
    return a->requirement == b->requirement && strcmp(a->text, b->text) == 0 &&
           strcmp(a->has, b->has) == 0;
}

static bool has_reason(const mez_verdict *verdict, const mez_reason *reason)
{
    for (uint32_t i = 0; i < verdict->count; i++)
        if (says_the_same(&verdict->reasons[i], reason))
            return true;
    return false;
}

static bool is_reported(
    const struct check_report *report, uint32_t unit, uint32_t device, const mez_reason *reason)
{
    for (uint32_t d = 0; d < device; d++)
        if (has_reason(report_verdict(report, unit, d), reason))
            return true;
    return false;
}

// A target that stands for many devices leaves most open: its column says so.
static bool is_worth_reporting(const mez_check_device *device, const mez_reason *reason)
{
    const mez_target *target = device->target;
    return reason->answer == MEZ_LACKS ||
           reason->requirement->kind == MEZ_REQUIRES_DEFINITION || // whatever the device
           reason->requirement->kind == MEZ_REQUIRES_ASSERT_FUNCTION ||
           (target->aspects_known && !target->may_support_other_aspects);
}

static void print_devices(FILE *stream, const struct check_report *report, uint32_t unit,
    uint32_t first, const mez_reason *reason)
{
    mez_text text = {0};
    mez_text_add(&text, "%s ", reason->answer == MEZ_LACKS ? "not on" : "perhaps not on");
    for (uint32_t d = first; d < report->device_count; d++)
        if (has_reason(report_verdict(report, unit, d), reason))
            mez_text_add(&text, "%s%s", d > first ? ", " : "", report->devices[d].name);
    mez_text_add(&text, ": %s", reason->has);
    print_wrapped(stream, 4, REPORT_WIDTH, mez_text_get(&text));
    mez_text_finish(&text);
}

// `again`: the sentence stands above, for devices that have other things.
static void print_reason(FILE *stream, const struct check_report *report, uint32_t unit,
    uint32_t device, const mez_reason *reason, bool again)
{
    mez_text place = {0};
    if (!again)
        print_wrapped(stream, 2, REPORT_WIDTH, reason->text);
    if (!again && !report_is_of_module(reason->requirement)) {
        mez_check_add_place(&place, reason->requirement);
        print_wrapped(stream, 4, REPORT_WIDTH, mez_text_get(&place));
    }
    print_devices(stream, report, unit, device, reason);
    mez_text_finish(&place);
}

struct section {
    uint32_t unit;
    bool of_module;      // what the whole module has, else what the kernel alone has
    const char *heading; // printed before the first reason, wrapped
    bool any;
    const mez_reason *last;
};

static void print_requirement(FILE *stream, const struct check_report *report,
    struct section *section, const mez_requirement *requirement)
{
    for (uint32_t d = 0; d < report->device_count; d++) {
        const mez_verdict *verdict = report_verdict(report, section->unit, d);
        for (uint32_t i = 0; i < verdict->count; i++) {
            const mez_reason *reason = &verdict->reasons[i];
            if (reason->requirement != requirement ||
                !is_worth_reporting(&report->devices[d], reason) ||
                is_reported(report, section->unit, d, reason))
                continue;
            if (!section->any)
                print_wrapped(stream, 0, REPORT_WIDTH, section->heading);
            const mez_reason *last = section->last;
            const bool again =
                last && last->requirement == requirement && strcmp(last->text, reason->text) == 0;
            print_reason(stream, report, section->unit, d, reason, again);
            section->any = true;
            section->last = reason;
        }
    }
}

static bool print_section(FILE *stream, const struct check_report *report, struct section section)
{
    const mez_requirements *requirements = &report->units->units[section.unit].requirements;
    for (uint32_t i = 0; i < requirements->count; i++)
        if (report_is_of_module(&requirements->items[i]) == section.of_module)
            print_requirement(stream, report, &section, &requirements->items[i]);
    return section.any;
}

// "scale:", or "a_0.spv: scale, add:" where properties speak for both.
static mez_text make_heading(const mez_check_unit *unit)
{
    mez_text text = {0};
    const char *name;
    if (unit->kernel) {
        mez_text_add(&text, "%s:", unit->kernel);
        return text;
    }
    mez_text_add(&text, "%s:", unit->binary->binary->source);
    for (uint32_t i = 0; (name = mez_check_binary_kernel(unit->binary, i)); i++)
        mez_text_add(&text, "%s %s", i ? "," : "", name);
    return text;
}

static bool print_binary(
    FILE *stream, const struct check_report *report, const mez_check_binary *binary)
{
    bool any = false;
    for (uint32_t i = 0; i < binary->unit_count; i++) {
        const uint32_t unit = binary->first_unit + i;
        mez_text heading = make_heading(&report->units->units[unit]);
        const struct section section = {.unit = unit, .heading = mez_text_get(&heading)};
        any |= print_section(stream, report, section);
        mez_text_finish(&heading);
    }
    mez_text source = {0};
    mez_text_add(&source, "%s:", binary->binary->source);
    const struct section of_module = {
        .unit = binary->first_unit, .of_module = true, .heading = mez_text_get(&source)};
    if (binary->unit_count > 0)
        any |= print_section(stream, report, of_module);
    mez_text_finish(&source);
    return any;
}

void report_print_reasons(FILE *stream, const struct check_report *report)
{
    bool any = false;
    for (uint32_t i = 0; i < report->units->binary_count; i++)
        any |= print_binary(stream, report, &report->units->binaries[i]);
    if (any)
        putc('\n', stream);
}
