// SPDX-License-Identifier: MIT
//
// The device configuration file, read as programs read it.

#include <mezzanine/target.h>

#include "base/environment.h"
#include "doctor.h"

#define CHECK "device configuration"

static void report_warning(void *user, const char *warning)
{
    struct findings *findings = user;
    found_warn(findings, CHECK, "%s", warning);
    found_advice(
        findings, "correct the line; until then it is ignored, and the rest of the file is used");
}

static void report_failure(struct findings *findings, mez_error error)
{
    char line[2048];
    error_line(error, NULL, line, sizeof line);
    found_fail(findings, CHECK, "%s", line);
    found_advice(
        findings, "correct the file, or unset MEZ_DEVICE_CONFIG to use the built-in table");
}

void check_device_config(struct doctor *doctor)
{
    struct findings *findings = &doctor->findings;
    const char *path = mez_setting(MEZ_VARIABLE_DEVICE_CONFIG);
    if (!path) {
        found_pass(findings, CHECK, "the built-in table is used");
        return;
    }
    const mez_targets_params warnings = {.warn = report_warning, .user = findings};
    mez_targets *targets;
    const mez_error error = mez_targets_load(path, &warnings, &targets);
    if (mez_failed(error))
        report_failure(findings, error);
    else
        found_pass(findings, CHECK, "%s: %u targets", path, mez_targets_get_count(targets));
    mez_targets_destroy(&targets);
}
