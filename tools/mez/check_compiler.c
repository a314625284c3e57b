// SPDX-License-Identifier: MIT

#include "check_compiler.h"

#include <string.h>

#include <mezzanine/build.h>

#include "base/error.h"

bool check_compiler_matters(const mez_code *code)
{
    for (uint32_t i = 0; i < mez_code_get_requirement_count(code); i++)
        if (mez_code_get_requirement(code, i)->of_compiler)
            return true;
    return false;
}

// A program that can't be run, or does not answer, leaves open which compiler it has.
static mez_error ask(const mez_target *target, const char **generation)
{
    mez_compiler_info info;
    const mez_error error = mez_target_ask_compiler(target, NULL, &info);
    *generation = info.generation;
    if (mez_error_is(error, MEZ_ERRC_OUT_OF_HOST_MEMORY) || mez_error_is(error, MEZ_ERRC_FILE))
        return error;
    mez_error_release(error);
    return mez_ok();
}

mez_error check_compiler_choose(
    struct check_devices *devices, const struct check_request *request, const mez_code *code)
{
    const char *asked = "";
    const char *installed = NULL;
    const bool matters = request->json || check_compiler_matters(code);
    for (uint32_t i = 0; i < devices->count; i++) {
        struct check_device *device = &devices->items[i];
        mez_target_limits limits;
        mez_target_get_limits(device->target, &limits);
        device->compiler = request->judged_for;
        // A live device's target names no compiler to start.
        if (device->compiler || !*limits.compiler || !matters)
            continue;
        if (strcmp(asked, limits.compiler) != 0)
            MEZ_TRY(ask(device->target, &installed));
        asked = limits.compiler;
        device->compiler = installed;
    }
    return mez_ok();
}
