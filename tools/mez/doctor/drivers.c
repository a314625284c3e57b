// SPDX-License-Identifier: MIT
//
// Each driver that the loader would open, by itself: loaders drop one that fails without a word.

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "doctor.h"
#include "driver_exports.h"
#include "trial.h"
#include "ze/library.h"

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

static void tell_absent(struct findings *findings, const char *name, enum origin origin)
{
    if (origin == ORIGIN_GPU) {
        found_warn(findings, CHECK, "%s is not installed", name);
        found_advice(
            findings, "for an Intel GPU install Intel's driver (Debian: intel-opencl-icd has it)");
    } else if (origin == ORIGIN_CPU) {
        found_warn(findings, CHECK, "the CPU driver is not at %s", name);
        found_advice(findings,
            "install it with Mezzanine, or name its path in MEZ_CPU_DRIVER; without it programs "
            "need a GPU");
    } else if (origin == ORIGIN_VARIABLE) {
        found_fail(
            findings, CHECK, "ZE_ENABLE_ALT_DRIVERS names %s, and there is no such file", name);
        found_advice(findings,
            "correct the name, or unset the variable to have the loader's own list; a name without "
            "a slash is looked for where libraries are");
    }
}

static void tell_not_loaded(struct findings *findings, const char *name, const char *error)
{
    found_fail(findings, CHECK, "%s does not load: %s", name, error);
    if (strstr(error, "cannot open shared object file"))
        found_advice(findings, "install what it needs: `ldd` on its file shows what is not found");
    else
        found_advice(findings, "install its package again, or name another file");
}

static void tell_not_a_driver(struct findings *findings, const char *name)
{
    found_fail(findings, CHECK,
        "%s is a library, but no Level Zero driver: it exports none of a driver's functions", name);
    found_advice(findings, "name drivers, such as " MEZ_INTEL_DRIVER_LIBRARY
                           " or the path of " MEZ_CPU_DRIVER_LIBRARY);
}

static void tell_crash(struct findings *findings, const char *name, const struct trial *trial)
{
    found_fail(findings, CHECK, "%s: %s%s%s", name, trial->end,
        *trial->printed ? "; it printed: " : "", trial->printed);
    found_advice(findings,
        "remove it, or name the other drivers in ZE_ENABLE_ALT_DRIVERS: every program that opens "
        "Level Zero loads it");
}

static void tell_missing(struct findings *findings, const char *name, const struct trial *trial)
{
    if (trial->missing == 0)
        return;
    found_warn(findings, CHECK, "%s lacks %s and %u more functions that loaders before 1.9 want",
        name, trial->first_missing, trial->missing - 1);
    found_advice(findings, "use a loader and a driver of about the same age");
}

static void tell_twice(struct findings *findings, const char *name, const struct trial *trial)
{
    if (!*trial->twice[0])
        return;
    found_warn(findings, CHECK, "with %s the process has a library twice: %s and %s", name,
        trial->twice[0], trial->twice[1]);
    found_advice(findings, "see that one of the two is found only: versions that are mixed crash");
}

static void tell_devices(struct findings *findings, const char *name, const struct trial *trial)
{
    if (trial->devices > 0) {
        found_pass(findings, CHECK, "%s: %u device%s, first \"%s\"", trial->path, trial->devices,
            trial->devices == 1 ? "" : "s", trial->first);
        return;
    }
    found_warn(findings, CHECK, "%s loads, and gives no device: %s%s%s", name, trial->story,
        *trial->printed ? "; it printed: " : "", trial->printed);
    found_advice(findings, *trial->printed
                               ? "do what it says"
                               : "see what is told of the kernel's driver and of device nodes");
}

static void try_driver(struct findings *findings, const char *name, enum origin origin)
{
    static struct trial trial; // too large for a comfortable stack
    trial_run(&(struct trial_params){.driver = name}, &trial);
    if (*trial.end) {
        tell_crash(findings, name, &trial);
    } else if (!trial.loaded && is_absent(name, trial.load_error)) {
        tell_absent(findings, name, origin);
    } else if (!trial.loaded) {
        tell_not_loaded(findings, name, trial.load_error);
    } else if (trial.missing == DRIVER_EXPORT_COUNT) {
        tell_not_a_driver(findings, name);
    } else {
        tell_missing(findings, name, &trial);
        tell_twice(findings, name, &trial);
        tell_devices(findings, name, &trial);
    }
}

// The loader takes what stands between commas as it is.
static void try_named(struct findings *findings, const char *name, bool is_last)
{
    const size_t length = strlen(name);
    if (length == 0 && !is_last) {
        found_fail(findings, CHECK,
            "ZE_ENABLE_ALT_DRIVERS has an empty name: the loader opens the program itself for it, "
            "until it crashes");
        found_advice(findings, "take out the comma that is one too many");
    } else if (length > 0 &&
               (isspace((unsigned char)*name) || isspace((unsigned char)name[length - 1]))) {
        found_fail(findings, CHECK,
            "ZE_ENABLE_ALT_DRIVERS has a space around \"%s\": the loader takes it for a part of "
            "the name",
            name);
        found_advice(findings, "take out the spaces beside commas");
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
        found_advice(findings, "name a shorter one in MEZ_CPU_DRIVER");
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
