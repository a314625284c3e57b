// SPDX-License-Identifier: MIT
//
// What `mez check` found, and the formats in which it is shown.

#ifndef CHECK_REPORT_H
#define CHECK_REPORT_H

#include <stdio.h>

#include "check/check.h"
#include "check/units.h"

// Columns of a terminal that everybody has.
#define REPORT_WIDTH 100

struct check_report {
    const char *image; // as the command line has it
    const mez_check_units *units;
    const mez_check_device *devices;
    uint32_t device_count;
    mez_verdict *verdicts; // of unit u and device d: [u * device_count + d]
    char **warnings;       // of the code, in the published form; several lines each
    uint32_t warning_count;
};

static inline const mez_verdict *report_verdict(
    const struct check_report *report, uint32_t unit, uint32_t device)
{
    return &report->verdicts[(size_t)unit * report->device_count + device];
}

// The name of a unit: its kernel's, its only kernel's, or how many it has.
#define UNIT_NAME 256
void report_unit_name(const mez_check_unit *unit, char name[UNIT_NAME]);

// Is it shown once for a whole binary, because SPIR-V states it for whole modules?
bool report_is_of_module(const mez_requirement *requirement);

// Native code for another device that nobody misses: all that it holds can run on this device in another form, be it SPIR-V or
// native code of its own.
bool report_is_spare(const struct check_report *report, uint32_t unit, uint32_t device);

// A line for each kernel and requirement, a column for each device; as many tables as the width asks for.
void report_print_table(FILE *stream, const struct check_report *report);

// Why something can't run, or perhaps can't, who asks for it, and what the devices have.
void report_print_reasons(FILE *stream, const struct check_report *report);

// How many kernels each device can run.
void report_print_summary(FILE *stream, const struct check_report *report);

// All of it, for programs.
void report_print_json(FILE *stream, const struct check_report *report);

#endif
