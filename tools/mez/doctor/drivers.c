// SPDX-License-Identifier: MIT
//
// Each driver that the loader would open, by itself: loaders drop a failing one without a message.

#include <string.h>

#include <mezzanine/driver.h>

#include "doctor.h"
#include "driver_exports.h"
#include "trial.h"

#define CHECK "driver"

static bool ends_with(const char *text, const char *ending)
{
    const size_t length = strlen(text), tail = strlen(ending);
    return length >= tail && strcmp(text + length - tail, ending) == 0;
}

// Not there itself, rather than missing something.
static bool is_absent(const char *name, const char *error)
{
    return strncmp(error, name, strlen(name)) == 0 &&
           ends_with(error, "cannot open shared object file: No such file or directory");
}

static void report_absent(struct findings *findings, const char *name, mez_driver_source source)
{
    if (source == MEZ_DRIVER_FOR_GPU) {
        found_warn(findings, CHECK, "%s is not installed", name);
        found_advice(findings,
            "for an Intel GPU, install Intel's driver (Debian: package intel-opencl-icd)");
    } else if (source == MEZ_DRIVER_FOR_CPU) {
        found_warn(findings, CHECK, "there is no CPU driver at %s", name);
        found_advice(findings, "install it with Mezzanine, or set MEZ_CPU_DRIVER to its path; "
                               "without it programs need a GPU");
    } else if (source == MEZ_DRIVER_OF_VARIABLE) {
        found_fail(findings, CHECK, "ZE_ENABLE_ALT_DRIVERS names %s, which does not exist", name);
        found_advice(findings,
            "correct the name, or unset the variable so that the loader uses its own "
            "list; a name without a slash is searched for in the folders of libraries");
    }
}

static void report_not_loaded(struct findings *findings, const char *name, const char *error)
{
    found_fail(findings, CHECK, "%s can't be loaded: %s", name, error);
    if (strstr(error, "cannot open shared object file"))
        found_advice(findings,
            "install the libraries that it needs; `ldd` on its file shows which are not found");
    else
        found_advice(findings, "reinstall its package, or use another file");
}

static void report_not_a_driver(struct findings *findings, const char *name)
{
    found_fail(findings, CHECK,
        "%s is a library, but not a Level Zero driver: it exports none of a driver's functions",
        name);
    found_advice(findings, "list drivers, such as " MEZ_INTEL_DRIVER_LIBRARY
                           " or the path of " MEZ_CPU_DRIVER_LIBRARY);
}

static void report_crash(struct findings *findings, const char *name, const struct trial *trial)
{
    found_fail(findings, CHECK, "%s: %s%s%s", name, trial->end,
        *trial->printed ? "; it printed: " : "", trial->printed);
    found_advice(findings, "remove it, or set ZE_ENABLE_ALT_DRIVERS to the other drivers; until "
                           "then every program that uses Level Zero loads it");
}

static void report_missing(struct findings *findings, const char *name, const struct trial *trial)
{
    if (trial->missing == 0)
        return;
    found_warn(findings, CHECK, "%s lacks %s and %u more functions that loaders before 1.9 require",
        name, trial->first_missing, trial->missing - 1);
    found_advice(findings, "use a loader and a driver of about the same age");
}

static void report_twice(struct findings *findings, const char *name, const struct trial *trial)
{
    if (!*trial->twice[0])
        return;
    found_warn(findings, CHECK, "%s makes the process load a library twice: %s and %s", name,
        trial->twice[0], trial->twice[1]);
    found_advice(findings, "make sure that only one of the two is found: mixed versions crash");
}

static void report_devices(struct findings *findings, const char *name, const struct trial *trial)
{
    if (trial->devices > 0) {
        found_pass(findings, CHECK, "%s: %u device%s, first \"%s\"", trial->path, trial->devices,
            trial->devices == 1 ? "" : "s", trial->first);
        return;
    }
    found_warn(findings, CHECK, "%s can be loaded, but reports no device: %s%s%s", name,
        trial->story, *trial->printed ? "; it printed: " : "", trial->printed);
    found_advice(findings, *trial->printed
                               ? "follow the driver's message"
                               : "see the results for the kernel driver and the device nodes");
}

static void try_driver(struct findings *findings, const char *name, mez_driver_source source)
{
    static struct trial trial; // too large for a comfortable stack
    trial_run(&(struct trial_params){.driver = name}, &trial);
    if (*trial.end) {
        report_crash(findings, name, &trial);
    } else if (!trial.loaded && is_absent(name, trial.load_error)) {
        report_absent(findings, name, source);
    } else if (!trial.loaded) {
        report_not_loaded(findings, name, trial.load_error);
    } else if (trial.missing == DRIVER_EXPORT_COUNT) {
        report_not_a_driver(findings, name);
    } else {
        report_missing(findings, name, &trial);
        report_twice(findings, name, &trial);
        report_devices(findings, name, &trial);
    }
}

// Why the name can't be used, with what to do.
static void report_name(struct findings *findings, const mez_found_driver *driver)
{
    if (driver->source == MEZ_DRIVER_FOR_CPU) {
        found_fail(findings, CHECK, "the path of the CPU driver is too long");
        found_advice(findings, "set MEZ_CPU_DRIVER to a shorter path");
    } else if (!*driver->name) {
        found_fail(findings, CHECK,
            "ZE_ENABLE_ALT_DRIVERS contains an empty name, for which the loader opens the program "
            "itself until it crashes");
        found_advice(findings, "remove the extra comma");
    } else {
        found_fail(findings, CHECK,
            "ZE_ENABLE_ALT_DRIVERS has a space beside \"%s\", which the loader takes as part of "
            "the name",
            driver->name);
        found_advice(findings, "remove the spaces beside commas");
    }
}

void check_drivers(struct doctor *doctor)
{
    mez_drivers *drivers; // only listed: each is tried in a process of its own
    const mez_error error = mez_drivers_create(NULL, &drivers);
    mez_error_release(error);
    doctor->findings.incomplete |= mez_failed(error);
    for (uint32_t i = 0; i < mez_drivers_get_count(drivers); i++) {
        const mez_found_driver *driver = mez_drivers_get_driver(drivers, i);
        if (mez_failed(driver->error))
            report_name(&doctor->findings, driver);
        else
            try_driver(&doctor->findings, driver->name, driver->source);
    }
    mez_drivers_destroy(&drivers);
}
