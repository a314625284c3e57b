// SPDX-License-Identifier: MIT

#include "check_report.h"

#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "check_compiler.h"

// Findings are in the order of the requirements.
static uint32_t find_first(const mez_findings *findings, uint32_t requirement)
{
    uint32_t begin = 0, end = mez_findings_get_count(findings);
    while (begin < end) {
        const uint32_t middle = begin + (end - begin) / 2;
        if (mez_findings_get_finding(findings, middle)->requirement < requirement)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

uint32_t report_find(const struct check_device *device, uint32_t requirement, uint32_t *count)
{
    const uint32_t first = find_first(device->findings, requirement);
    const mez_finding *finding;
    *count = 0;
    while ((finding = mez_findings_get_finding(device->findings, first + *count)) &&
           finding->requirement == requirement)
        ++*count;
    return first;
}

mez_answer report_answer_to(const struct check_device *device, uint32_t requirement)
{
    mez_answer worst = MEZ_HAS;
    uint32_t count;
    const uint32_t first = report_find(device, requirement, &count);
    for (uint32_t i = 0; i < count; i++) {
        const mez_answer answer = mez_findings_get_finding(device->findings, first + i)->answer;
        worst = answer > worst ? answer : worst;
    }
    return worst;
}

void report_unit_name(const mez_code_unit *unit, char name[UNIT_NAME])
{
    if (unit->kernel_count == 1)
        snprintf(name, UNIT_NAME, "%s", unit->kernels[0]);
    else if (unit->kernel_count > 1)
        snprintf(name, UNIT_NAME, "all %u kernels", (unsigned)unit->kernel_count);
    else
        snprintf(name, UNIT_NAME, "all kernels");
}

void report_add_value(mez_text *text, const mez_code *code, uint32_t requirement)
{
    char room[512];
    const size_t length = mez_code_get_requirement_value(code, requirement, room, sizeof room);
    char *whole = length < sizeof room ? NULL : mez_alloc_array(length + 1, 1);
    if (whole)
        mez_code_get_requirement_value(code, requirement, whole, length + 1);
    mez_text_add(text, "%s", whole ? whole : room);
    mez_free_memory(whole);
}

void report_add_requirement(mez_text *text, const mez_code *code, uint32_t requirement)
{
    mez_text_add(text, "%s ", mez_code_get_requirement(code, requirement)->kind_name);
    report_add_value(text, code, requirement);
}

// --- Choices

static bool holds_kernel(const mez_code_unit *unit, const char *kernel)
{
    for (uint32_t i = 0; i < unit->kernel_count; i++)
        if (strcmp(unit->kernels[i], kernel) == 0)
            return true;
    return false;
}

static bool runs_elsewhere(
    const struct check_report *report, uint32_t unit, uint32_t device, const char *kernel)
{
    for (uint32_t u = 0; u < mez_code_get_unit_count(report->code); u++)
        if (u != unit && report_answer(report, u, device) != MEZ_LACKS &&
            holds_kernel(mez_code_get_unit(report->code, u), kernel))
            return true;
    return false;
}

// What native code was made for is judged first.
static bool is_misfit(const struct check_report *report, uint32_t unit, uint32_t device)
{
    const uint32_t first = mez_code_get_unit(report->code, unit)->first_requirement;
    return report_answer(report, unit, device) == MEZ_LACKS &&
           mez_code_get_requirement(report->code, first)->kind == MEZ_REQUIRES_ARCHITECTURE &&
           report_answer_to(&report->devices[device], first) != MEZ_HAS;
}

bool report_is_spare(const struct check_report *report, uint32_t unit, uint32_t device)
{
    const mez_code_unit *of = mez_code_get_unit(report->code, unit);
    if (!is_misfit(report, unit, device))
        return false;
    for (uint32_t i = 0; i < of->kernel_count; i++)
        if (!runs_elsewhere(report, unit, device, of->kernels[i]))
            return false;
    return of->kernel_count > 0;
}

// --- The summary

typedef struct tally {
    uint32_t all, can, perhaps;
} tally;

// Does the unit perhaps not run, for another reason than what its module states?
static bool is_doubtful(const struct check_report *report, uint32_t unit, uint32_t device)
{
    const mez_code_unit *of = mez_code_get_unit(report->code, unit);
    if (report_answer(report, unit, device) != MEZ_MAY_HAVE)
        return false;
    for (uint32_t i = 0; i < of->requirement_count; i++) {
        const uint32_t number = of->first_requirement + i;
        if (!mez_code_get_requirement(report->code, number)->of_module &&
            report_answer_to(&report->devices[device], number) != MEZ_HAS)
            return true;
    }
    return false;
}

static void count_unit(
    const struct check_report *report, uint32_t unit, uint32_t device, tally *tally)
{
    const uint32_t found = mez_code_get_unit(report->code, unit)->kernel_count;
    const uint32_t kernels = found ? found : 1;
    tally->all += kernels;
    tally->can += report_answer(report, unit, device) == MEZ_LACKS ? 0 : kernels;
    tally->perhaps += is_doubtful(report, unit, device) ? kernels : 0;
}

// Shown where it makes a difference.
static void print_compiler(
    FILE *stream, const struct check_report *report, const struct check_device *device)
{
    if (check_compiler_matters(report->code))
        mez_print(stream, ", judged for %s", mez_findings_get_compiler(device->findings));
}

void report_print_summary(FILE *stream, const struct check_report *report)
{
    for (uint32_t d = 0; d < report->device_count; d++) {
        tally tally = {0};
        for (uint32_t u = 0; u < mez_code_get_unit_count(report->code); u++)
            if (!report_is_spare(report, u, d))
                count_unit(report, u, d, &tally);
        mez_print(stream, "%s can run %u of %u kernels", report->devices[d].name,
            (unsigned)tally.can, (unsigned)tally.all);
        if (tally.perhaps)
            mez_print(stream, ", %u of them perhaps", (unsigned)tally.perhaps);
        print_compiler(stream, report, &report->devices[d]);
        putc('\n', stream);
    }
}
