// SPDX-License-Identifier: MIT
//
// What a program gets here.

#include <stdlib.h>
#include <string.h>

#include "base/environment.h"
#include "doctor.h"
#include "trial.h"

#define CHECK "device"
#define MASK "ZE_AFFINITY_MASK"

// Does the mask hide devices that would be there without it?
static bool is_hidden(struct doctor *doctor)
{
    static struct trial trial;
    const char *mask = getenv(MASK);
    if (!mask || !*mask)
        return false;
    trial_run(&(struct trial_params){.forgotten = MASK}, &trial);
    if (trial.devices == 0)
        return false;
    found_fail(&doctor->findings, CHECK, MASK "=%s hides all devices; without it there %s %u", mask,
        trial.devices == 1 ? "is" : "are", trial.devices);
    found_advice(&doctor->findings,
        "unset it, or list devices by number, beginning with 0; with "
        "ZE_FLAT_DEVICE_HIERARCHY=FLAT, sub-devices are counted as devices");
    return true;
}

static void report_none(struct doctor *doctor, const struct trial *trial)
{
    if (is_hidden(doctor))
        return;
    found_fail(&doctor->findings, CHECK, "programs get no device: %s%s%s%s", trial->end,
        trial->story, *trial->printed ? "; printed: " : "", trial->printed);
    found_advice(&doctor->findings,
        "follow the advice on the loader, the drivers and the device nodes, in this order");
}

static bool is(mez_variable variable, const char *value)
{
    const char *text = mez_setting(variable);
    return text && strcmp(text, value) == 0;
}

static bool wants_no_gpu(void)
{
    return is(MEZ_VARIABLE_DEVICE, "cpu") || is(MEZ_VARIABLE_DRIVERS, "cpu");
}

void check_device(struct doctor *doctor)
{
    static struct trial trial;
    trial_run(&(struct trial_params){0}, &trial);
    if (trial.devices == 0) {
        report_none(doctor, &trial);
    } else if (trial.gpus == 0 && !wants_no_gpu()) {
        found_warn(&doctor->findings, CHECK, "programs get no GPU, but \"%s\"", trial.first);
        found_advice(&doctor->findings,
            "to use an Intel GPU, follow the advice above; to choose the CPU, set MEZ_DEVICE=cpu");
    } else {
        found_pass(&doctor->findings, CHECK, "programs get \"%s\"", trial.first);
    }
}
