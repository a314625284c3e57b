// SPDX-License-Identifier: MIT
//
// `mez check --json`.

#include "base/json.h"
#include "check_report.h"

static const char *const answers[] = {
    [MEZ_HAS] = "yes", [MEZ_MAY_HAVE] = "perhaps", [MEZ_LACKS] = "no"};

static void print_line(mez_json *json, const mez_finding *finding)
{
    if (!finding->file)
        return;
    mez_json_string(json, "file", finding->file);
    mez_json_number(json, "line", finding->line);
    mez_json_number(json, "column", finding->column);
}

// Whatever the device, so of the first.
static void print_place(mez_json *json, const struct check_report *report, uint32_t requirement)
{
    uint32_t count;
    const uint32_t first = report_find(&report->devices[0], requirement, &count);
    const mez_finding *finding = mez_findings_get_finding(report->devices[0].findings, first);
    if (count == 0 || !finding->function)
        return;
    mez_json_open(json, "place", '{');
    mez_json_string(json, "function", finding->function);
    mez_json_string(json, "instruction", finding->instruction);
    mez_json_bool(json, "declared", finding->declared);
    print_line(json, finding);
    mez_json_open(json, "calls", '[');
    for (uint32_t i = 0; i < finding->call_count; i++)
        mez_json_string(json, NULL, finding->calls[i]);
    mez_json_close(json, ']');
    mez_json_close(json, '}');
}

static void print_reasons(mez_json *json, const struct check_device *device, uint32_t requirement)
{
    uint32_t count;
    const uint32_t first = report_find(device, requirement, &count);
    for (uint32_t i = 0; i < count; i++) {
        const mez_finding *finding = mez_findings_get_finding(device->findings, first + i);
        if (finding->answer == MEZ_HAS)
            continue;
        mez_json_open(json, NULL, '{');
        mez_json_string(json, "device", device->name);
        mez_json_string(json, "answer", answers[finding->answer]);
        mez_json_string(json, "text", finding->text);
        mez_json_string(json, "has", finding->has);
        mez_json_close(json, '}');
    }
}

static void print_requirement(
    mez_json *json, const struct check_report *report, uint32_t requirement)
{
    mez_text value = {0};
    report_add_value(&value, report->code, requirement);
    mez_json_open(json, NULL, '{');
    mez_json_string(json, "kind", mez_code_get_requirement(report->code, requirement)->kind_name);
    mez_json_string(json, "value", mez_text_get(&value));
    print_place(json, report, requirement);
    mez_json_open(json, "unmet", '[');
    for (uint32_t d = 0; d < report->device_count; d++)
        print_reasons(json, &report->devices[d], requirement);
    mez_json_close(json, ']');
    mez_json_close(json, '}');
    mez_text_finish(&value);
}

static void print_unit(mez_json *json, const struct check_report *report, uint32_t unit)
{
    const mez_code_unit *of = mez_code_get_unit(report->code, unit);
    mez_json_open(json, NULL, '{');
    mez_json_string(json, "code", mez_code_get_binary(report->code, of->binary)->source);
    mez_json_open(json, "kernels", '[');
    for (uint32_t i = 0; i < of->kernel_count; i++)
        mez_json_string(json, NULL, of->kernels[i]);
    mez_json_close(json, ']');
    mez_json_open(json, "verdicts", '{');
    for (uint32_t d = 0; d < report->device_count; d++)
        mez_json_string(json, report->devices[d].name, answers[report_answer(report, unit, d)]);
    mez_json_close(json, '}');
    mez_json_open(json, "requires", '[');
    for (uint32_t i = 0; i < of->requirement_count; i++)
        print_requirement(json, report, of->first_requirement + i);
    mez_json_close(json, ']');
    mez_json_close(json, '}');
}

static void print_unreadable(mez_json *json, const struct check_report *report)
{
    char story[2048];
    mez_json_open(json, "unreadable", '[');
    for (uint32_t i = 0; i < mez_code_get_binary_count(report->code); i++) {
        const mez_code_binary *binary = mez_code_get_binary(report->code, i);
        if (!mez_failed(binary->error))
            continue;
        mez_error_get_story(binary->error, story, sizeof story);
        mez_json_string(json, NULL, story);
    }
    mez_json_close(json, ']');
}

void report_print_json(FILE *stream, const struct check_report *report)
{
    mez_json json = {.stream = stream};
    mez_json_open(&json, NULL, '{');
    mez_json_string(&json, "image", report->image);
    mez_json_open(&json, "devices", '[');
    for (uint32_t d = 0; d < report->device_count; d++)
        mez_json_string(&json, NULL, report->devices[d].name);
    mez_json_close(&json, ']');
    mez_json_open(&json, "compilers", '{');
    for (uint32_t d = 0; d < report->device_count; d++)
        mez_json_string(
            &json, report->devices[d].name, mez_findings_get_compiler(report->devices[d].findings));
    mez_json_close(&json, '}');
    mez_json_open(&json, "units", '[');
    for (uint32_t u = 0; u < mez_code_get_unit_count(report->code); u++)
        print_unit(&json, report, u);
    mez_json_close(&json, ']');
    mez_json_open(&json, "warnings", '[');
    for (uint32_t i = 0; i < report->warning_count; i++)
        mez_json_string(&json, NULL, report->warnings[i]);
    mez_json_close(&json, ']');
    print_unreadable(&json, report);
    mez_json_close(&json, '}');
}
