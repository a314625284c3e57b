// SPDX-License-Identifier: MIT
//
// `mez check --json`.

#include "check/describe.h"
#include "check/place.h"
#include "check_report.h"
#include "json.h"
#include "spirv/opcodes.h"

static const char *const answers[] = {
    [MEZ_HAS] = "yes", [MEZ_MAY_HAVE] = "perhaps", [MEZ_LACKS] = "no"};

static void print_line(struct json *json, const struct mez_spirv_source_line *line)
{
    if (!line->file)
        return;
    json_string(json, "file", line->file);
    json_number(json, "line", line->line);
    json_number(json, "column", line->column);
}

static void print_place(struct json *json, const mez_requirement *requirement)
{
    char room[MEZ_SPIRV_OPCODE_ROOM];
    struct mez_spirv_place place;
    if (!mez_check_find_place(requirement, &place))
        return;
    json_open(json, "place", '{');
    json_string(json, "function", place.function->name);
    json_string(json, "instruction", mez_spirv_opcode_name(place.opcode, room));
    json_bool(json, "declared", place.declared);
    print_line(json, &place.line);
    json_open(json, "calls", '[');
    for (uint32_t i = 0; i < place.step_count; i++)
        json_string(json, NULL, place.steps[i].function->name);
    json_close(json, ']');
    json_close(json, '}');
    mez_spirv_place_finish(&place);
}

static void print_reasons(struct json *json, const struct check_report *report, uint32_t unit,
    const mez_requirement *requirement)
{
    for (uint32_t d = 0; d < report->device_count; d++) {
        const mez_verdict *verdict = report_verdict(report, unit, d);
        for (uint32_t i = 0; i < verdict->count; i++) {
            const mez_reason *reason = &verdict->reasons[i];
            if (reason->requirement != requirement)
                continue;
            json_open(json, NULL, '{');
            json_string(json, "device", report->devices[d].name);
            json_string(json, "answer", answers[reason->answer]);
            json_string(json, "text", reason->text);
            json_string(json, "has", reason->has);
            json_close(json, '}');
        }
    }
}

static void print_requirement(struct json *json, const struct check_report *report, uint32_t unit,
    const mez_requirement *requirement)
{
    const mez_check_unit *owner = &report->units->units[unit];
    mez_text value = {0};
    mez_requirement_add_value(&value, requirement, owner->requirements.numbering);
    json_open(json, NULL, '{');
    json_string(json, "kind", mez_requirement_kind_name(requirement->kind));
    json_string(json, "value", mez_text_get(&value));
    print_place(json, requirement);
    json_open(json, "unmet", '[');
    print_reasons(json, report, unit, requirement);
    json_close(json, ']');
    json_close(json, '}');
    mez_text_finish(&value);
}

static void print_kernels(struct json *json, const mez_check_unit *unit)
{
    const char *name;
    json_open(json, "kernels", '[');
    if (unit->kernel)
        json_string(json, NULL, unit->kernel);
    for (uint32_t i = 0; !unit->kernel && (name = mez_check_binary_kernel(unit->binary, i)); i++)
        json_string(json, NULL, name);
    json_close(json, ']');
}

static void print_unit(struct json *json, const struct check_report *report, uint32_t unit)
{
    const mez_check_unit *owner = &report->units->units[unit];
    json_open(json, NULL, '{');
    json_string(json, "code", owner->binary->binary->source);
    print_kernels(json, owner);
    json_open(json, "verdicts", '{');
    for (uint32_t d = 0; d < report->device_count; d++)
        json_string(
            json, report->devices[d].name, answers[report_verdict(report, unit, d)->answer]);
    json_close(json, '}');
    json_open(json, "requires", '[');
    for (uint32_t i = 0; i < owner->requirements.count; i++)
        print_requirement(json, report, unit, &owner->requirements.items[i]);
    json_close(json, ']');
    json_close(json, '}');
}

static void print_unreadable(struct json *json, const struct check_report *report)
{
    char story[2048];
    json_open(json, "unreadable", '[');
    for (uint32_t i = 0; i < report->units->binary_count; i++) {
        const mez_check_binary *binary = &report->units->binaries[i];
        if (!mez_failed(binary->unreadable))
            continue;
        mez_error_story(binary->unreadable, story, sizeof story);
        json_string(json, NULL, story);
    }
    json_close(json, ']');
}

void report_print_json(FILE *stream, const struct check_report *report)
{
    struct json json = {.stream = stream};
    json_open(&json, NULL, '{');
    json_string(&json, "image", report->image);
    json_open(&json, "devices", '[');
    for (uint32_t d = 0; d < report->device_count; d++)
        json_string(&json, NULL, report->devices[d].name);
    json_close(&json, ']');
    json_open(&json, "units", '[');
    for (uint32_t u = 0; u < report->units->count; u++)
        print_unit(&json, report, u);
    json_close(&json, ']');
    json_open(&json, "warnings", '[');
    for (uint32_t i = 0; i < report->warning_count; i++)
        json_string(&json, NULL, report->warnings[i]);
    json_close(&json, ']');
    print_unreadable(&json, report);
    json_close(&json, '}');
}
