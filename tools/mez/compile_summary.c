// SPDX-License-Identifier: MIT

#include "compile_summary.h"

#include "check/describe.h"
#include "check/units.h"
#include "check_report.h"

static void print_unit(FILE *stream, const mez_check_unit *unit)
{
    char name[UNIT_NAME];
    mez_text text = {0};
    report_unit_name(unit, name);
    for (uint32_t i = 0; i < unit->requirements.count; i++) {
        const mez_requirement *requirement = &unit->requirements.items[i];
        if (report_is_of_module(requirement))
            continue;
        mez_text_add(
            &text, "%s%s ", text.length ? ", " : "", mez_requirement_kind_name(requirement->kind));
        mez_requirement_add_value(&text, requirement, unit->requirements.numbering);
    }
    if (text.length)
        fprintf(stream, "    %s requires %s\n", name, mez_text_get(&text));
    mez_text_finish(&text);
}

static void print_units(FILE *stream, const char *path, const mez_check_units *units)
{
    const unsigned count = (unsigned)units->count;
    fprintf(stream, "%s: %u kernel%s\n", path, count, count == 1 ? "" : "s");
    for (uint32_t i = 0; i < units->count; i++)
        print_unit(stream, &units->units[i]);
}

mez_error compile_summary_print(FILE *stream, const char *path, const void *code, size_t size)
{
    mez_bundle *bundle = NULL;
    mez_check_units *units = NULL;
    mez_error error = mez_bundle_read(code, size, path, &bundle);
    if (!mez_failed(error))
        error = mez_check_units_create(bundle, MEZ_SURVEY_VALUES, &units);
    if (!mez_failed(error) && units->binary_count > 0)
        error = units->binaries[0].unreadable;
    if (!mez_failed(error))
        print_units(stream, path, units);
    mez_check_units_destroy(&units);
    mez_bundle_destroy(&bundle);
    return error;
}
