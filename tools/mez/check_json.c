// SPDX-License-Identifier: MIT
//
// `mez check --json`.

#include "base/json.h"
#include "check/describe.h"
#include "check_report.h"
#include "spirv/opcodes.h"

static const char *const answers[] = {
    [MEZ_HAS] = "yes", [MEZ_MAY_HAVE] = "perhaps", [MEZ_LACKS] = "no"};

static void print_line(mez_json *json, const struct mez_spirv_source_line *line)
{
    if (!line->file)
        return;
    mez_json_string(json, "file", line->file);
    mez_json_number(json, "line", line->line);
    mez_json_number(json, "column", line->column);
}

static void print_place(mez_json *json, const mez_requirement *requirement)
{
    char room[MEZ_SPIRV_OPCODE_ROOM];
    struct mez_spirv_place place;
    if (!mez_check_find_place(requirement, &place))
        return;
    mez_json_open(json, "place", '{');
    mez_json_string(json, "function", place.function->name);
    mez_json_string(json, "instruction", mez_spirv_opcode_name(place.opcode, room));
    mez_json_bool(json, "declared", place.declared);
    print_line(json, &place.line);
    mez_json_open(json, "calls", '[');
    for (uint32_t i = 0; i < place.step_count; i++)
        mez_json_string(json, NULL, place.steps[i].function->name);
    mez_json_close(json, ']');
    mez_json_close(json, '}');
    mez_spirv_place_finish(&place);
}

static void print_reasons(mez_json *json, const struct check_report *report, uint32_t unit,
    const mez_requirement *requirement)
{
    for (uint32_t d = 0; d < report->device_count; d++) {
        const mez_verdict *verdict = report_verdict(report, unit, d);
        for (uint32_t i = 0; i < verdict->count; i++) {
            const mez_reason *reason = &verdict->reasons[i];
            if (reason->requirement != requirement)
                continue;
            mez_json_open(json, NULL, '{');
            mez_json_string(json, "device", report->devices[d].name);
            mez_json_string(json, "answer", answers[reason->answer]);
            mez_json_string(json, "text", reason->text);
            mez_json_string(json, "has", reason->has);
            mez_json_close(json, '}');
        }
    }
}

static void print_requirement(mez_json *json, const struct check_report *report, uint32_t unit,
    const mez_requirement *requirement)
{
    const mez_check_unit *owner = &report->units->units[unit];
    mez_text value = {0};
    mez_requirement_add_value(&value, requirement, owner->requirements.numbering);
    mez_json_open(json, NULL, '{');
    mez_json_string(json, "kind", mez_requirement_kind_name(requirement->kind));
    mez_json_string(json, "value", mez_text_get(&value));
    print_place(json, requirement);
    mez_json_open(json, "unmet", '[');
    print_reasons(json, report, unit, requirement);
    mez_json_close(json, ']');
    mez_json_close(json, '}');
    mez_text_finish(&value);
}

static void print_kernels(mez_json *json, const mez_check_unit *unit)
{
    const char *name;
    mez_json_open(json, "kernels", '[');
    if (unit->kernel)
        mez_json_string(json, NULL, unit->kernel);
    for (uint32_t i = 0; !unit->kernel && (name = mez_check_binary_kernel(unit->binary, i)); i++)
        mez_json_string(json, NULL, name);
    mez_json_close(json, ']');
}

static void print_unit(mez_json *json, const struct check_report *report, uint32_t unit)
{
    const mez_check_unit *owner = &report->units->units[unit];
    mez_json_open(json, NULL, '{');
    mez_json_string(json, "code", owner->binary->binary->source);
    print_kernels(json, owner);
    mez_json_open(json, "verdicts", '{');
    for (uint32_t d = 0; d < report->device_count; d++)
        mez_json_string(
            json, report->devices[d].name, answers[report_verdict(report, unit, d)->answer]);
    mez_json_close(json, '}');
    mez_json_open(json, "requires", '[');
    for (uint32_t i = 0; i < owner->requirements.count; i++)
        print_requirement(json, report, unit, &owner->requirements.items[i]);
    mez_json_close(json, ']');
    mez_json_close(json, '}');
}

static void print_unreadable(mez_json *json, const struct check_report *report)
{
    char story[2048];
    mez_json_open(json, "unreadable", '[');
    for (uint32_t i = 0; i < report->units->binary_count; i++) {
        const mez_check_binary *binary = &report->units->binaries[i];
        if (!mez_failed(binary->unreadable))
            continue;
        mez_error_get_story(binary->unreadable, story, sizeof story);
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
        mez_json_string(&json, report->devices[d].name, mez_igc_name(report->devices[d].compiler));
    mez_json_close(&json, '}');
    mez_json_open(&json, "units", '[');
    for (uint32_t u = 0; u < report->units->count; u++)
        print_unit(&json, report, u);
    mez_json_close(&json, ']');
    mez_json_open(&json, "warnings", '[');
    for (uint32_t i = 0; i < report->warning_count; i++)
        mez_json_string(&json, NULL, report->warnings[i]);
    mez_json_close(&json, ']');
    print_unreadable(&json, report);
    mez_json_close(&json, '}');
}
