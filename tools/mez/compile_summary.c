// SPDX-License-Identifier: MIT

#include "compile_summary.h"

#include "base/error.h"
#include "base/text.h"
#include "check_report.h"

// What libraries are to define is not the module's.
static bool is_shown(const mez_code_requirement *requirement)
{
    return !requirement->of_module && requirement->kind != MEZ_REQUIRES_DEFINITION;
}

static void print_unit(FILE *stream, const mez_code *code, const mez_code_unit *unit)
{
    char name[UNIT_NAME];
    mez_text text = {0};
    report_unit_name(unit, name);
    for (uint32_t i = 0; i < unit->requirement_count; i++) {
        const uint32_t number = unit->first_requirement + i;
        if (!is_shown(mez_code_get_requirement(code, number)))
            continue;
        mez_text_add(&text, "%s", text.length ? ", " : "");
        report_add_requirement(&text, code, number);
    }
    if (text.length)
        mez_print(stream, "    %s requires %s\n", name, mez_text_get(&text));
    mez_text_finish(&text);
}

mez_error compile_summary_print(FILE *stream, const char *path, const void *code, size_t size)
{
    mez_code *read;
    MEZ_TRY(mez_code_read(code, size, path, &read));
    const uint32_t count = mez_code_get_unit_count(read);
    mez_print(stream, "%s: %u kernel%s\n", path, (unsigned)count, count == 1 ? "" : "s");
    for (uint32_t i = 0; i < count; i++)
        print_unit(stream, read, mez_code_get_unit(read, i));
    mez_code_destroy(&read);
    return mez_ok();
}
