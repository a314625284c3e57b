// SPDX-License-Identifier: MIT
//
// Level Zero's variables that decide which devices a program sees.

#include <stdlib.h>
#include <string.h>

#include "doctor.h"
#include "mask.h"

#define CHECK "variables"

typedef void (*judgement)(struct findings *findings, const char *name, const char *value);

static void judge_drivers(struct findings *findings, const char *name, const char *value)
{
    if (*value) {
        found_pass(findings, CHECK, "%s=%s: the loader uses these drivers instead of its own list",
            name, value);
        return;
    }
    found_warn(
        findings, CHECK, "%s is empty, so the loader opens the program itself as a driver", name);
    found_advice(findings,
        "unset it: Mezzanine removes it from its own processes, but other programs crash");
}

static void judge_hierarchy(struct findings *findings, const char *name, const char *value)
{
    static const char *const models[][2] = {
        {"COMPOSITE", "programs see devices, whose parts are sub-devices"},
        {"FLAT", "programs see sub-devices as devices"},
        {"COMBINED", "programs see sub-devices as devices that name their root device"},
    };
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        if (strcmp(value, models[i][0]) == 0) {
            found_pass(findings, CHECK, "%s=%s: %s", name, value, models[i][1]);
            return;
        }
    }
    found_warn(findings, CHECK, "%s=%s is invalid: drivers ignore it", name, value);
    found_advice(findings, "use COMPOSITE, FLAT or COMBINED, in capital letters");
}

static void judge_mask(struct findings *findings, const char *name, const char *value)
{
    struct bad_item bad;
    if (!*value || mask_is_good(value, &bad)) {
        found_pass(findings, CHECK, "%s=%s: %s", name, value,
            *value ? "programs see only these devices, or sub-devices given as DEVICE.PART"
                   : "it is empty and hides nothing");
        return;
    }
    found_warn(findings, CHECK, "%s=%s: \"%.*s\" is not a device and is ignored", name, value,
        bad.length, bad.text);
    found_advice(findings, "write numbers separated by commas, beginning with 0, and DEVICE.PART "
                           "for a sub-device, such as 0,1.1");
}

static void judge_engines(struct findings *findings, const char *name, const char *value)
{
    struct bad_item bad;
    if (engine_counts_are_good(value, &bad)) {
        found_pass(findings, CHECK, "%s=%s: this sets the number of compute engines of each device",
            name, value);
        return;
    }
    found_warn(findings, CHECK, "%s=%s: \"%.*s\" is invalid", name, value, bad.length, bad.text);
    found_advice(findings,
        "write DEVICE:COUNT with a count of 1, 2 or 4, separated by commas, such as 0:4,1:4");
}

// False, with a finding: the value is neither on nor off.
static bool is_switch(struct findings *findings, const char *name, const char *value)
{
    if (strcmp(value, "0") == 0 || strcmp(value, "1") == 0 || !*value)
        return true;
    found_warn(findings, CHECK, "%s=%s does not enable it", name, value);
    found_advice(findings, "set it to 1, or unset it");
    return false;
}

static void judge_switch(struct findings *findings, const char *name, const char *value)
{
    if (is_switch(findings, name, value))
        found_pass(findings, CHECK, "%s=%s", name, value);
}

static void judge_null_driver(struct findings *findings, const char *name, const char *value)
{
    if (!is_switch(findings, name, value) || strcmp(value, "1") != 0)
        return;
    found_warn(findings, CHECK,
        "%s=1: the loader adds a driver that accepts every call and does nothing", name);
    found_advice(findings, "unset it, unless this is a test of the loader");
}

static void judge_intercept(struct findings *findings, const char *name, const char *value)
{
    if (!is_switch(findings, name, value) || strcmp(value, "1") != 0)
        return;
    found_warn(findings, CHECK,
        "%s=1: the loader wraps all handles, which makes calls slower and hides newer functions",
        name);
    found_advice(findings, "unset it, unless you trace calls with the loader");
}

static const struct {
    const char *name;
    judgement judge;
} known[] = {
    {"ZE_ENABLE_ALT_DRIVERS", judge_drivers},
    {"ZE_FLAT_DEVICE_HIERARCHY", judge_hierarchy},
    {"ZE_AFFINITY_MASK", judge_mask},
    {"ZEX_NUMBER_OF_CCS", judge_engines},
    {"ZE_ENABLE_NULL_DRIVER", judge_null_driver},
    {"ZE_ENABLE_LOADER_INTERCEPT", judge_intercept},
    {"ZE_ENABLE_VALIDATION_LAYER", judge_switch},
    {"ZE_ENABLE_PARAMETER_VALIDATION", judge_switch},
    {"ZES_ENABLE_SYSMAN", judge_switch},
    {"ZET_ENABLE_PROGRAM_DEBUGGING", judge_switch},
};

void check_variables(struct doctor *doctor)
{
    const size_t before = doctor->findings.list.count;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const char *value = getenv(known[i].name);
        if (value)
            known[i].judge(&doctor->findings, known[i].name, value);
    }
    if (doctor->findings.list.count == before)
        found_pass(&doctor->findings, CHECK, "no variable changes which devices programs see");
}
