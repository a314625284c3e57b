// SPDX-License-Identifier: MIT
//
// Why something can't run, in the sentences of `mez check`.

#include <string.h>

#include "check_report.h"
#include "wrap.h"

// The same about the same requirement, for another device.
static bool says_the_same(const mez_finding *a, const mez_finding *b)
{
    return a->answer != MEZ_HAS && a->requirement == b->requirement &&
           strcmp(a->text, b->text) == 0 && strcmp(a->has, b->has) == 0;
}

static bool has_reason(const struct check_device *device, const mez_finding *reason)
{
    uint32_t count;
    const uint32_t first = report_find(device, reason->requirement, &count);
    for (uint32_t i = 0; i < count; i++)
        if (says_the_same(mez_findings_get_finding(device->findings, first + i), reason))
            return true;
    return false;
}

static bool is_reported(
    const struct check_report *report, uint32_t device, const mez_finding *reason)
{
    for (uint32_t d = 0; d < device; d++)
        if (has_reason(&report->devices[d], reason))
            return true;
    return false;
}

// A target that stands for many devices leaves most open: its column says so.
static bool is_worth_reporting(const struct check_device *device, const mez_finding *reason)
{
    mez_target_limits limits;
    mez_target_get_limits(device->target, &limits);
    return reason->answer == MEZ_LACKS ||
           reason->requirement_kind == MEZ_REQUIRES_DEFINITION || // whatever the device
           reason->requirement_kind == MEZ_REQUIRES_ASSERT_FUNCTION ||
           !limits.may_have_other_aspects;
}

static void print_devices(
    FILE *stream, const struct check_report *report, uint32_t first, const mez_finding *reason)
{
    mez_text text = {0};
    mez_text_add(&text, "%s ", reason->answer == MEZ_LACKS ? "not on" : "perhaps not on");
    for (uint32_t d = first; d < report->device_count; d++)
        if (has_reason(&report->devices[d], reason))
            mez_text_add(&text, "%s%s", d > first ? ", " : "", report->devices[d].name);
    mez_text_add(&text, ": %s", reason->has);
    print_wrapped(stream, 4, REPORT_WIDTH, mez_text_get(&text));
    mez_text_finish(&text);
}

// `again`: the sentence stands above, for devices that have other things.
static void print_reason(FILE *stream, const struct check_report *report, uint32_t device,
    const mez_finding *reason, bool again)
{
    if (!again)
        print_wrapped(stream, 2, REPORT_WIDTH, reason->text);
    if (!again && !reason->of_module)
        print_wrapped(stream, 4, REPORT_WIDTH, reason->place);
    print_devices(stream, report, device, reason);
}

struct section {
    uint32_t unit;
    bool of_module;      // what the whole module has, else what the kernel alone has
    const char *heading; // printed before the first reason, wrapped
    bool any;
    const mez_finding *last;
};

static void print_reasons_of(FILE *stream, const struct check_report *report,
    struct section *section, uint32_t device, uint32_t requirement)
{
    uint32_t count;
    const uint32_t first = report_find(&report->devices[device], requirement, &count);
    for (uint32_t i = 0; i < count; i++) {
        const mez_finding *reason =
            mez_findings_get_finding(report->devices[device].findings, first + i);
        if (reason->answer == MEZ_HAS || !is_worth_reporting(&report->devices[device], reason) ||
            is_reported(report, device, reason))
            continue;
        if (!section->any)
            print_wrapped(stream, 0, REPORT_WIDTH, section->heading);
        const mez_finding *last = section->last;
        const bool again =
            last && last->requirement == requirement && strcmp(last->text, reason->text) == 0;
        print_reason(stream, report, device, reason, again);
        section->any = true;
        section->last = reason;
    }
}

static bool print_section(FILE *stream, const struct check_report *report, struct section section)
{
    const mez_code_unit *unit = mez_code_get_unit(report->code, section.unit);
    for (uint32_t i = 0; i < unit->requirement_count; i++) {
        const uint32_t number = unit->first_requirement + i;
        if (mez_code_get_requirement(report->code, number)->of_module != section.of_module)
            continue;
        for (uint32_t d = 0; d < report->device_count; d++)
            print_reasons_of(stream, report, &section, d, number);
    }
    return section.any;
}

static const char *source_of(const struct check_report *report, uint32_t unit)
{
    const uint32_t binary = mez_code_get_unit(report->code, unit)->binary;
    return mez_code_get_binary(report->code, binary)->source;
}

// "scale:", or "a_0.spv: scale, add:" where properties speak for both.
static mez_text make_heading(const struct check_report *report, uint32_t number)
{
    const mez_code_unit *unit = mez_code_get_unit(report->code, number);
    mez_text text = {0};
    mez_text_add(&text, "%s:", unit->kernel ? unit->kernel : source_of(report, number));
    for (uint32_t i = 0; !unit->kernel && i < unit->kernel_count; i++)
        mez_text_add(&text, "%s %s", i ? "," : "", unit->kernels[i]);
    return text;
}

static bool print_unit(FILE *stream, const struct check_report *report, uint32_t unit)
{
    mez_text heading = make_heading(report, unit);
    const struct section section = {.unit = unit, .heading = mez_text_get(&heading)};
    const bool any = print_section(stream, report, section);
    mez_text_finish(&heading);
    return any;
}

// What its module states, from the first unit of a binary.
static bool print_module(FILE *stream, const struct check_report *report, uint32_t unit)
{
    mez_text source = {0};
    mez_text_add(&source, "%s:", source_of(report, unit));
    const struct section of_module = {
        .unit = unit, .of_module = true, .heading = mez_text_get(&source)};
    const bool any = print_section(stream, report, of_module);
    mez_text_finish(&source);
    return any;
}

void report_print_reasons(FILE *stream, const struct check_report *report)
{
    const uint32_t count = mez_code_get_unit_count(report->code);
    bool any = false;
    uint32_t first = 0; // of the binary
    for (uint32_t u = 0; u < count; u++) {
        const uint32_t binary = mez_code_get_unit(report->code, u)->binary;
        any |= print_unit(stream, report, u);
        if (u + 1 < count && mez_code_get_unit(report->code, u + 1)->binary == binary)
            continue;
        any |= print_module(stream, report, first);
        first = u + 1;
    }
    if (any)
        putc('\n', stream);
}
