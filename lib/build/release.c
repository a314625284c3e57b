// SPDX-License-Identifier: MIT
//
// Which version the compiler of a target has.

#include <mezzanine/build.h>

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/text.h"
#include "check/requirements.h"
#include "child/child.h"
#include "child/scratch.h"
#include "target/target.h"

#define QUESTION "OCL_DRIVER_VERSION"

// ocloc writes its answer to a file of the question's name in its working folder, and not every one prints it. A path that begins
// where we are would lead elsewhere from there.
static mez_error run_compiler(
    const char *program, const char *folder, const char *output, mez_stop *stop)
{
    static const char script[] = "cd \"$1\" && exec \"$2\" query " QUESTION;
    char path[PATH_MAX];
    const bool is_path = strchr(program, '/') && realpath(program, path);
    const char *const words[] = {"sh", "-c", script, "sh", folder, is_path ? path : program};
    mez_words command = {0};
    mez_error error = mez_ok();
    for (size_t i = 0; i < sizeof words / sizeof *words && !mez_failed(error); i++)
        error = mez_words_add(&command, words[i]);
    const mez_child child = {.command = &command, .output = output, .stop = stop};
    if (!mez_failed(error))
        error = mez_child_run(&child);
    mez_words_finish(&command);
    return error;
}

// False: there is none.
static bool read_answer(const char *path, mez_compiler_info *info)
{
    mez_file file;
    const mez_error error = mez_file_read(path, &file);
    if (mez_failed(error)) {
        mez_error_release(error);
        return false;
    }
    const size_t room = sizeof info->release - 1;
    memcpy(info->release, file.bytes, file.size < room ? file.size : room);
    info->release[strcspn(info->release, " \r\n")] = '\0';
    mez_file_finish(&file);
    return *info->release;
}

static const char *generation_of(mez_igc compiler)
{
    static const char *const names[] = {
        [MEZ_IGC_UNKNOWN] = NULL, [MEZ_IGC_1] = "1", [MEZ_IGC_2] = "2"};
    return names[compiler];
}

// Some answer and fail.
static mez_error ask_in(
    const char *folder, const char *program, mez_stop *stop, mez_compiler_info *info)
{
    char *answer = mez_print_string("%s/" QUESTION, folder);
    char *output = mez_print_string("%s/output", folder);
    mez_error error = answer && output ? run_compiler(program, folder, output, stop)
                                       : mez_error_no_memory("a question to a compiler");
    const bool has_run = !mez_failed(error) || mez_error_is(error, MEZ_ERRC_COMPILE_PROGRAM);
    if (has_run && read_answer(answer, info)) {
        mez_error_release(error);
        error = mez_ok();
    } else if (!mez_failed(error)) {
        error = mez_error_make(
            MEZ_ERRC_COMPILE_PROGRAM, "%s did not answer which version it has", program);
    }
    mez_free_memory(answer);
    mez_free_memory(output);
    return error;
}

static mez_error ask(const mez_target *target, mez_stop *stop, mez_compiler_info *info)
{
    mez_scratch scratch;
    MEZ_TRY(mez_scratch_init(&scratch));
    const mez_error error = ask_in(scratch.path, target->aot_toolchain, stop, info);
    mez_scratch_finish(&scratch);
    if (mez_failed(error))
        return mez_error_add(
            error, "compiler", "%s, of target %s", target->aot_toolchain, target->name);
    info->generation = generation_of(mez_igc_of_release(info->release));
    return mez_ok();
}

mez_error mez_target_ask_compiler(const mez_target *target, mez_stop *stop, mez_compiler_info *info)
{
    mez_stop unused = MEZ_STOP_INIT;
    MEZ_REQUIRE(info, NULL);
    *info = (mez_compiler_info){0};
    MEZ_REQUIRE(target, NULL);
    if (!target->aot_toolchain || !*target->aot_toolchain)
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "target %s has no compiler, whose version one could ask for", target->name);
    if (!stop)
        stop = mez_stop_of_thread();
    return ask(target, stop ? stop : &unused, info);
}
