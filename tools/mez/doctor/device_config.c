// SPDX-License-Identifier: MIT
//
// The device configuration file, read as programs read it.

#include "base/environment.h"
#include "doctor.h"
#include "target/target.h"

#define CHECK "device configuration"

static void tell_warning(void *user, const char *warning)
{
    struct findings *findings = user;
    found_warn(findings, CHECK, "%s", warning);
    found_advice(findings, "correct the line, or leave it: the rest of the file counts");
}

static void tell_failure(struct findings *findings, mez_error error)
{
    char line[2048];
    error_line(error, NULL, line, sizeof line);
    found_fail(findings, CHECK, "%s", line);
    found_advice(
        findings, "correct the file, or unset MEZ_DEVICE_CONFIG to have the built-in table");
}

void check_device_config(struct doctor *doctor)
{
    struct findings *findings = &doctor->findings;
    const char *path = mez_setting(MEZ_VARIABLE_DEVICE_CONFIG);
    if (!path) {
        found_pass(findings, CHECK, "the one that is built in");
        return;
    }
    const mez_targets_warnings warnings = {tell_warning, findings};
    mez_targets *targets;
    const mez_error error = mez_targets_load(path, &warnings, &targets);
    if (mez_failed(error))
        tell_failure(findings, error);
    else
        found_pass(findings, CHECK, "%s: %u targets", path, mez_targets_count(targets));
    mez_targets_destroy(&targets);
}
