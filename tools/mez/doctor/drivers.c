// SPDX-License-Identifier: MIT
//
// Each driver that the loader would open, by itself: loaders drop a failing one without a message.

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "doctor.h"
#include "driver_exports.h"
#include "trial.h"
#include "ze/drivers.h"

#define CHECK "driver"

enum origin {
    ORIGIN_GPU,     // of the loader's own list
    ORIGIN_OTHER,   // the same; nobody misses it
    ORIGIN_CPU,     // ours
    ORIGIN_VARIABLE // of ZE_ENABLE_ALT_DRIVERS, which replaces the list
};

static const struct {
    const char *name;
    enum origin origin;
} listed[] = {
    {MEZ_INTEL_DRIVER_LIBRARY, ORIGIN_GPU},
    {MEZ_INTEL_OLDER_DRIVER_LIBRARY, ORIGIN_OTHER},
    {"libze_intel_vpu.so.1", ORIGIN_OTHER},
    {"libze_intel_npu.so.1", ORIGIN_OTHER},
};

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

static void report_absent(struct findings *findings, const char *name, enum origin origin)
{
    if (origin == ORIGIN_GPU) {
        found_warn(findings, CHECK, "%s is not installed", name);
        found_advice(findings,
            "for an Intel GPU, install Intel's driver (Debian: package intel-opencl-icd)");
    } else if (origin == ORIGIN_CPU) {
        found_warn(findings, CHECK, "there is no CPU driver at %s", name);
        found_advice(findings, "install it with Mezzanine, or set MEZ_CPU_DRIVER to its path; "
                               "without it programs need a GPU");
    } else if (origin == ORIGIN_VARIABLE) {
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

static void try_driver(struct findings *findings, const char *name, enum origin origin)
{
    static struct trial trial; // too large for a comfortable stack
    trial_run(&(struct trial_params){.driver = name}, &trial);
    if (*trial.end) {
        report_crash(findings, name, &trial);
    } else if (!trial.loaded && is_absent(name, trial.load_error)) {
        report_absent(findings, name, origin);
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

// The loader takes what stands between commas as it is.
static void try_named(struct findings *findings, const char *name, bool is_last)
{
    const size_t length = strlen(name);
    if (length == 0 && !is_last) {
        found_fail(findings, CHECK,
            "ZE_ENABLE_ALT_DRIVERS contains an empty name, for which the loader opens the program "
            "itself until it crashes");
        found_advice(findings, "remove the extra comma");
    } else if (length > 0 &&
               (isspace((unsigned char)*name) || isspace((unsigned char)name[length - 1]))) {
        found_fail(findings, CHECK,
            "ZE_ENABLE_ALT_DRIVERS has a space beside \"%s\", which the loader takes as part of "
            "the name",
            name);
        found_advice(findings, "remove the spaces beside commas");
    } else if (length > 0) {
        try_driver(findings, name, ORIGIN_VARIABLE);
    }
}

static void try_all_named(struct findings *findings, const char *list)
{
    char name[PATH_MAX];
    for (const char *end; list; list = *end ? end + 1 : NULL) {
        end = strchrnul(list, ',');
        snprintf(name, sizeof name, "%.*s", (int)(end - list), list);
        try_named(findings, name, *end == '\0');
    }
}

static void try_cpu_driver(struct findings *findings)
{
    char path[PATH_MAX];
    if (!mez_ze_cpu_driver_path(path, sizeof path)) {
        found_fail(findings, CHECK, "the path of the CPU driver is too long");
        found_advice(findings, "set MEZ_CPU_DRIVER to a shorter path");
    } else {
        try_driver(findings, path, ORIGIN_CPU);
    }
}

void check_drivers(struct doctor *doctor)
{
    const char *named = getenv("ZE_ENABLE_ALT_DRIVERS");
    if (named && *named) {
        try_all_named(&doctor->findings, named);
        return;
    }
    for (size_t i = 0; i < sizeof listed / sizeof *listed; i++)
        try_driver(&doctor->findings, listed[i].name, listed[i].origin);
    try_cpu_driver(&doctor->findings);
}
