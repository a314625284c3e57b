// SPDX-License-Identifier: MIT

#include "trial.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mezzanine/context.h>

#include "apart.h"
#include "base/environment.h"
#include "doctor.h"
#include "driver_exports.h"
#include "library_file.h"

// --- In the other process

static void open_driver(const char *name, struct trial *trial)
{
    void *driver = open_library(name, trial->path, trial->load_error, sizeof trial->load_error);
    if (!driver)
        return;
    trial->loaded = true;
    trial->missing =
        driver_missing_exports(driver, trial->first_missing, sizeof trial->first_missing);
    dlclose(driver);
}

// With that driver alone, whatever Mezzanine's variables ask for.
static void choose_driver(const char *name)
{
    for (mez_variable variable = 0; variable < MEZ_VARIABLE_COUNT; variable++)
        unsetenv(mez_variable_get_info(variable)->name);
    setenv("ZE_ENABLE_ALT_DRIVERS", name, 1);
}

static void open_context(struct trial *trial)
{
    mez_context *context = NULL;
    const mez_context_params params = {.debug_name = "mez doctor"};
    const mez_error error = mez_context_create_at(NULL, &params, &context);
    if (mez_failed(error)) {
        error_line(error, NULL, trial->story, sizeof trial->story);
        return;
    }
    trial->devices = mez_context_get_device_count(context);
    for (uint32_t i = 0; i < trial->devices; i++)
        trial->gpus +=
            mez_device_get_info(mez_context_get_device(context, i))->type == MEZ_DEVICE_GPU;
    snprintf(trial->first, sizeof trial->first, "%s",
        mez_device_get_info(mez_context_get_device(context, 0))->name);
}

// Two files with one name up to the version.
struct twins {
    char (*twice)[PATH_MAX];
    const char *stem;
    char first[PATH_MAX];
};

static int look_for_twin(struct dl_phdr_info *object, size_t size, void *data)
{
    (void)size;
    struct twins *twins = data;
    char path[PATH_MAX];
    const char *slash = strrchr(object->dlpi_name, '/');
    if (!slash || strncmp(slash + 1, twins->stem, strlen(twins->stem)) != 0 ||
        !realpath(object->dlpi_name, path))
        return 0;
    if (!*twins->first) {
        memcpy(twins->first, path, sizeof path);
        return 0;
    }
    memcpy(twins->twice[0], twins->first, sizeof path);
    memcpy(twins->twice[1], path, sizeof path);
    return 1;
}

static void look_for_twins(struct trial *trial)
{
    static const char *const stems[] = {"libze_loader.so", "libigc.so", "libigdfcl.so"};
    for (size_t i = 0; i < sizeof stems / sizeof *stems && !*trial->twice[0]; i++) {
        struct twins twins = {.twice = trial->twice, .stem = stems[i]};
        dl_iterate_phdr(look_for_twin, &twins);
    }
}

static void work(const void *question, void *answer)
{
    const struct trial_params *params = question;
    struct trial *trial = answer;
    unsetenv(
        mez_variable_get_info(MEZ_VARIABLE_LOG)->name); // what is printed is to be the driver's
    // No trace is written over, nor what other tools write.
    unsetenv(mez_variable_get_info(MEZ_VARIABLE_TRACE)->name);
    unsetenv("XPTI_FRAMEWORK_DISPATCHER");
    if (params->forgotten)
        unsetenv(params->forgotten);
    if (params->driver) {
        open_driver(params->driver, trial);
        if (!trial->loaded)
            return;
        choose_driver(params->driver);
    }
    open_context(trial);
    look_for_twins(trial);
}

// --- In this process

void trial_run(const struct trial_params *params, struct trial *trial)
{
    char printed[sizeof trial->printed], end[sizeof trial->end];
    const struct apart apart = {.work = work,
        .question = params,
        .answer = trial,
        .size = sizeof *trial,
        .seconds = DRIVER_SECONDS,
        .printed = printed,
        .printed_size = sizeof printed};
    apart_ask(&apart, end, sizeof end);
    printed[strcspn(printed, "\n")] = '\0';
    memcpy(trial->printed, printed, sizeof printed);
    memcpy(trial->end, end, sizeof end);
}
