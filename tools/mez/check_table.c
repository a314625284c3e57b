// SPDX-License-Identifier: MIT
//
// The table of `mez check`.

#include <string.h>

#include "base/text.h"
#include "check_report.h"

#define MOST_FIRST 40 // columns of a kernel's name, and of a requirement

struct columns {
    int kernel, requirement;
    uint32_t first, end; // devices
};

static int larger(int a, int b)
{
    return a > b ? a : b;
}

// What does not fit is cut in the middle: names that a compiler makes differ at their ends.
static void print_cut(FILE *stream, const char *text, int width)
{
    const int length = (int)strlen(text);
    const int head = (width - 3) / 2;
    if (length <= width)
        mez_print(stream, "%-*s", width, text);
    else
        mez_print(stream, "%.*s...%s", head, text, text + length - (width - 3 - head));
}

static mez_text describe(const mez_code *code, uint32_t requirement)
{
    mez_text text = {0};
    report_add_requirement(&text, code, requirement);
    return text;
}

static bool is_shown(const mez_code *code, uint32_t requirement)
{
    return !mez_code_get_requirement(code, requirement)->of_module;
}

static int unit_width(const mez_code *code, const mez_code_unit *unit, int *requirement)
{
    char name[UNIT_NAME];
    report_unit_name(unit, name);
    for (uint32_t i = 0; i < unit->requirement_count; i++) {
        if (!is_shown(code, unit->first_requirement + i))
            continue;
        mez_text text = describe(code, unit->first_requirement + i);
        *requirement = larger(*requirement, (int)text.length);
        mez_text_finish(&text);
    }
    return (int)strlen(name);
}

static void measure(const struct check_report *report, struct columns *columns)
{
    columns->kernel = (int)strlen("kernel");
    columns->requirement = (int)strlen("requires");
    for (uint32_t u = 0; u < mez_code_get_unit_count(report->code); u++)
        columns->kernel = larger(columns->kernel,
            unit_width(report->code, mez_code_get_unit(report->code, u), &columns->requirement));
    if (columns->kernel > MOST_FIRST)
        columns->kernel = MOST_FIRST;
    if (columns->requirement > MOST_FIRST)
        columns->requirement = MOST_FIRST;
}

// As many devices as there is room for, but at least one.
static void take_devices(const struct check_report *report, struct columns *columns)
{
    int width = columns->kernel + 2 + columns->requirement;
    columns->first = columns->end;
    do
        width += 2 + (int)strlen(report->devices[columns->end].name);
    while (++columns->end < report->device_count &&
           width + 2 + (int)strlen(report->devices[columns->end].name) <= REPORT_WIDTH);
}

static void print_heading(
    FILE *stream, const struct check_report *report, const struct columns *columns)
{
    mez_print(stream, "%-*s  %-*s", columns->kernel, "kernel", columns->requirement, "requires");
    for (uint32_t d = columns->first; d < columns->end; d++)
        mez_print(stream, "  %s", report->devices[d].name);
    putc('\n', stream);
}

static void print_answer(FILE *stream, mez_answer answer, const char *device, bool last)
{
    static const char *const words[] = {
        [MEZ_HAS] = "yes", [MEZ_MAY_HAVE] = "perhaps", [MEZ_LACKS] = "no"};
    mez_print(stream, "  %-*s", last ? 0 : (int)strlen(device), words[answer]);
}

// `requirement` NULL: the unit requires nothing.
static void print_line(FILE *stream, const struct check_report *report,
    const struct columns *columns, const uint32_t *requirement)
{
    mez_text text = {0};
    if (requirement)
        text = describe(report->code, *requirement);
    print_cut(stream, requirement ? mez_text_get(&text) : "nothing", columns->requirement);
    for (uint32_t d = columns->first; d < columns->end; d++) {
        const struct check_device *device = &report->devices[d];
        const mez_answer answer = requirement ? report_answer_to(device, *requirement) : MEZ_HAS;
        print_answer(stream, answer, device->name, d + 1 == columns->end);
    }
    putc('\n', stream);
    mez_text_finish(&text);
}

static void print_unit(FILE *stream, const struct check_report *report,
    const struct columns *columns, const mez_code_unit *unit)
{
    char name[UNIT_NAME];
    bool first = true;
    report_unit_name(unit, name);
    for (uint32_t i = 0; i < unit->requirement_count; i++) {
        const uint32_t requirement = unit->first_requirement + i;
        if (!is_shown(report->code, requirement))
            continue;
        print_cut(stream, first ? name : "", columns->kernel);
        fputs("  ", stream);
        print_line(stream, report, columns, &requirement);
        first = false;
    }
    if (!first)
        return;
    print_cut(stream, name, columns->kernel);
    fputs("  ", stream);
    print_line(stream, report, columns, NULL);
}

// Which code, where a bundle has several. `unit` is the first of the binary; returns the first behind it.
static uint32_t print_binary(FILE *stream, const struct check_report *report,
    const struct columns *columns, uint32_t binary, uint32_t unit)
{
    const mez_code_unit *next;
    if (mez_code_get_binary_count(report->code) > 1)
        mez_print(stream, "%s:\n", mez_code_get_binary(report->code, binary)->source);
    while ((next = mez_code_get_unit(report->code, unit)) && next->binary == binary) {
        print_unit(stream, report, columns, next);
        unit++;
    }
    return unit;
}

void report_print_table(FILE *stream, const struct check_report *report)
{
    struct columns columns = {0};
    measure(report, &columns);
    while (columns.end < report->device_count) {
        take_devices(report, &columns);
        print_heading(stream, report, &columns);
        uint32_t unit = 0;
        for (uint32_t i = 0; i < mez_code_get_binary_count(report->code); i++)
            unit = print_binary(stream, report, &columns, i, unit);
        putc('\n', stream);
    }
}
