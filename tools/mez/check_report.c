// SPDX-License-Identifier: MIT

#include "check_report.h"

#include <string.h>

#include "check_compiler.h"

static uint32_t count_kernels(const mez_check_unit *unit)
{
    uint32_t count = 0;
    while (mez_check_binary_kernel(unit->binary, count))
        count++;
    return count;
}

void report_unit_name(const mez_check_unit *unit, char name[UNIT_NAME])
{
    const uint32_t count = unit->kernel ? 1 : count_kernels(unit);
    if (unit->kernel)
        snprintf(name, UNIT_NAME, "%s", unit->kernel);
    else if (count == 1)
        snprintf(name, UNIT_NAME, "%s", mez_check_binary_kernel(unit->binary, 0));
    else if (count > 1)
        snprintf(name, UNIT_NAME, "all %u kernels", (unsigned)count);
    else
        snprintf(name, UNIT_NAME, "all kernels");
}

bool report_is_of_module(const mez_requirement *requirement)
{
    return requirement->kind >= MEZ_REQUIRES_SPIRV_VERSION;
}

// --- Choices

static bool holds_kernel(const mez_check_unit *unit, const char *kernel)
{
    const char *name;
    if (unit->kernel)
        return strcmp(unit->kernel, kernel) == 0;
    for (uint32_t i = 0; (name = mez_check_binary_kernel(unit->binary, i)); i++)
        if (strcmp(name, kernel) == 0)
            return true;
    return false;
}

static bool runs_elsewhere(
    const struct check_report *report, uint32_t unit, uint32_t device, const char *kernel)
{
    for (uint32_t u = 0; u < report->units->count; u++)
        if (u != unit && report_verdict(report, u, device)->answer != MEZ_LACKS &&
            holds_kernel(&report->units->units[u], kernel))
            return true;
    return false;
}

static bool is_misfit(const mez_verdict *verdict)
{
    return verdict->answer == MEZ_LACKS &&
           verdict->reasons[0].requirement->kind == MEZ_REQUIRES_ARCHITECTURE;
}

bool report_is_spare(const struct check_report *report, uint32_t unit, uint32_t device)
{
    const mez_check_binary *binary = report->units->units[unit].binary;
    const char *kernel;
    uint32_t count = 0;
    if (!is_misfit(report_verdict(report, unit, device)))
        return false;
    while ((kernel = mez_check_binary_kernel(binary, count))) {
        if (!runs_elsewhere(report, unit, device, kernel))
            return false;
        count++;
    }
    return count > 0;
}

// --- The summary

typedef struct tally {
    uint32_t all, can, perhaps;
} tally;

static void count_unit(const mez_check_unit *unit, const mez_verdict *verdict, tally *tally)
{
    const uint32_t found = unit->kernel ? 1 : count_kernels(unit);
    const uint32_t kernels = found ? found : 1;
    bool doubt = false;
    for (uint32_t i = 0; i < verdict->count; i++)
        doubt |= !report_is_of_module(verdict->reasons[i].requirement);
    tally->all += kernels;
    tally->can += verdict->answer == MEZ_LACKS ? 0 : kernels;
    tally->perhaps += verdict->answer == MEZ_MAY_HAVE && doubt ? kernels : 0;
}

// Shown where it makes a difference.
static void print_compiler(
    FILE *stream, const struct check_report *report, const mez_check_device *device)
{
    if (check_compiler_matters(report->units))
        fprintf(stream, ", judged for %s", mez_igc_name(device->compiler));
}

void report_print_summary(FILE *stream, const struct check_report *report)
{
    for (uint32_t d = 0; d < report->device_count; d++) {
        tally tally = {0};
        for (uint32_t u = 0; u < report->units->count; u++)
            if (!report_is_spare(report, u, d))
                count_unit(&report->units->units[u], report_verdict(report, u, d), &tally);
        fprintf(stream, "%s can run %u of %u kernels", report->devices[d].name, (unsigned)tally.can,
            (unsigned)tally.all);
        if (tally.perhaps)
            fprintf(stream, ", %u of them perhaps", (unsigned)tally.perhaps);
        print_compiler(stream, report, &report->devices[d]);
        putc('\n', stream);
    }
}
