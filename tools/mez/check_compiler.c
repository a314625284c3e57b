// SPDX-License-Identifier: MIT

#include "check_compiler.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/text.h"
#include "child/child.h"
#include "child/scratch.h"

bool check_compiler_matters(const mez_check_units *units)
{
    for (uint32_t u = 0; u < units->count; u++) {
        const mez_requirements *requirements = &units->units[u].requirements;
        for (uint32_t i = 0; i < requirements->count; i++)
            if (requirements->items[i].kind == MEZ_REQUIRES_ASPECT &&
                requirements->items[i].aspect.compilers)
                return true;
    }
    return false;
}

// --- The one that is installed

// ocloc writes its answer to a file of the question's name in its working folder, and not every one prints it. A path that begins
// where we are would lead elsewhere from there.
static mez_error run_ocloc(const char *program, const char *folder, const char *output)
{
    static const char script[] = "cd \"$1\" && exec \"$2\" query OCL_DRIVER_VERSION";
    char path[PATH_MAX];
    const bool is_path = strchr(program, '/') && realpath(program, path);
    const char *const words[] = {"sh", "-c", script, "sh", folder, is_path ? path : program};
    mez_words command = {0};
    mez_stop stop = MEZ_STOP_INIT;
    mez_error error = mez_ok();
    for (size_t i = 0; i < sizeof words / sizeof *words && !mez_failed(error); i++)
        error = mez_words_add(&command, words[i]);
    const mez_child child = {.command = &command, .output = output, .stop = &stop};
    if (!mez_failed(error))
        error = mez_child_run(&child);
    mez_words_finish(&command);
    return error;
}

static mez_igc read_answer(const char *path)
{
    mez_file file;
    char release[32] = "";
    const mez_error error = mez_file_read(path, &file);
    if (mez_failed(error)) {
        mez_error_release(error);
        return MEZ_IGC_UNKNOWN;
    }
    memcpy(release, file.bytes, file.size < sizeof release ? file.size : sizeof release - 1);
    mez_file_finish(&file);
    return mez_igc_of_release(release);
}

// A program that can't be run, or does not answer, leaves open which compiler it has.
static mez_error ask(const char *program, mez_igc *compiler)
{
    mez_scratch scratch;
    MEZ_TRY(mez_scratch_init(&scratch));
    char *answer = mez_print_string("%s/OCL_DRIVER_VERSION", scratch.path);
    char *output = mez_print_string("%s/output", scratch.path);
    if (answer && output) {
        mez_error_release(run_ocloc(program, scratch.path, output));
        *compiler = read_answer(answer);
    }
    const bool asked = answer && output;
    mez_free_memory(answer);
    mez_free_memory(output);
    mez_scratch_finish(&scratch);
    return asked ? mez_ok() : mez_error_no_memory("a question to a compiler");
}

// --- All of them

mez_error check_compiler_choose(struct check_devices *devices, const struct check_request *request,
    const mez_check_units *units)
{
    const char *asked = NULL;
    mez_igc installed = MEZ_IGC_UNKNOWN;
    for (uint32_t i = 0; i < devices->count; i++) {
        mez_check_device *device = &devices->items[i];
        const char *program = device->target->aot_toolchain;
        if (request->judged_for)
            mez_igc_find(request->judged_for, &device->compiler);
        if (device->compiler != MEZ_IGC_UNKNOWN || !program || !*program ||
            !(request->json || check_compiler_matters(units)))
            continue;
        if (!asked || strcmp(asked, program) != 0)
            MEZ_TRY(ask(program, &installed));
        asked = program;
        device->compiler = installed;
    }
    return mez_ok();
}
