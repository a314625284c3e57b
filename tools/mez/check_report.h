// SPDX-License-Identifier: MIT
//
// What `mez check` found, and the formats in which it is shown.

#ifndef CHECK_REPORT_H
#define CHECK_REPORT_H

#include <stdio.h>

#include <mezzanine/code.h>

#include "base/text.h"
#include "check_devices.h"

// Columns of a terminal that everybody has.
#define REPORT_WIDTH 100

struct check_report {
    const char *image; // as the command line has it
    const mez_code *code;
    const struct check_device *devices; // with their findings
    uint32_t device_count;
    char **warnings; // of the code, in the published form; several lines each
    uint32_t warning_count;
};

static inline mez_answer report_answer(
    const struct check_report *report, uint32_t unit, uint32_t device)
{
    return mez_findings_get_unit_answer(report->devices[device].findings, unit);
}

// The findings of a device about one requirement; *count is how many there are, one behind the other from the returned index.
uint32_t report_find(const struct check_device *device, uint32_t requirement, uint32_t *count);

// The worst of these.
mez_answer report_answer_to(const struct check_device *device, uint32_t requirement);

// The name of a unit: its kernel's, its only kernel's, or how many it has.
#define UNIT_NAME 256
void report_unit_name(const mez_code_unit *unit, char name[UNIT_NAME]);

// Adds what is required without its kind, "fp64", and with it: "aspect fp64".
void report_add_value(mez_text *text, const mez_code *code, uint32_t requirement);
void report_add_requirement(mez_text *text, const mez_code *code, uint32_t requirement);

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
