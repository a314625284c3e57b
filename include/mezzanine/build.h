// SPDX-License-Identifier: MIT
//
// Builds the images of a split for several targets, ahead of time. If a target has a compiler
// ("ocloc"), the compiler makes native code of each image that the target can run; other targets
// get the SPIR-V.
//
//     const mez_target *targets[] = {spir64, tgl};
//     mez_build *build = NULL;
//     mez_error err = mez_build_create(&(mez_build_params){.split = split, .name = "app",
//         .targets = targets, .target_count = 2}, &build);
//     if (!mez_failed(err))
//         err = mez_build_write(build, "app.syclbin", MEZ_BUILD_SYCLBIN);
//     mez_build_destroy(&build);
//
// Part of libmezzanine-image (docs/toolchain.md), and of libmezzanine.
//
// Thread-safety: a build may be used by one thread at a time; different builds may be used at the
// same time.

#ifndef MEZZANINE_BUILD_H
#define MEZZANINE_BUILD_H

#include <mezzanine/base.h>
#include <mezzanine/error.h>
#include <mezzanine/split.h>
#include <mezzanine/stop.h>
#include <mezzanine/target.h>

MEZ_BEGIN

typedef struct mez_build mez_build;

// One image for one target. Valid during the call of the listener's function.
typedef struct mez_build_step {
    const char *image; // "app_3"
    const char *const *kernels;
    size_t kernel_count;
    const mez_target *target;
} mez_build_step;

// Called with a text about one image and target.
typedef void (*mez_build_text_function)(void *user, const mez_build_step *step, const char *text);

// Called before a compiler is started; `number` counts from 1 to `count`.
typedef void (*mez_build_begin_function)(
    void *user, const mez_build_step *step, uint32_t number, uint32_t count);

// Functions that mez_build_create calls, in its own thread, while it builds. Each may be NULL.
typedef struct mez_build_listener {
    // The target can't run the image; the text is the reason: "aspect fp64".
    mez_build_text_function leave_out;
    mez_build_begin_function begin;
    mez_build_text_function printed; // the text is what the compiler printed; never empty
    void *user;
    uint64_t reserved[4]; // must be zero: mezzanine/base.h
} mez_build_listener;

typedef struct mez_build_params {
    const mez_split *split;
    const char *name; // images are called by it and a number: "app_3"
    const mez_target *const *targets;
    uint32_t target_count;
    // Options for all compilers, written as in a shell; they follow the targets' own options. NULL:
    // none.
    const char *aot_options;
    uint32_t jobs;  // how many compilers run at a time, at most 256; 0: one for each processor
    mez_stop *stop; // NULL: nobody stops it
    mez_build_listener listener;
    uint64_t reserved[8]; // must be zero: mezzanine/base.h
} mez_build_params;

// Builds all images for all targets. A target that is listed twice is built once. The call succeeds
// also if a target gets no image. *build is yours, to be given to mez_build_destroy; NULL after an
// error.
//
// MEZ_ERRC_COMPILE_PROGRAM: a compiler failed, and the story has what it printed.
// MEZ_ERRC_FILE: a compiler can't be started, or no folder for files can be created in TMPDIR.
// MEZ_ERRC_INVALID_PARAMETER: NULL, also among the targets; a target for which nothing can be
//     built; two targets of the same name from different tables; options with an unclosed quotation
//     mark; or `reserved` is not zero.
// MEZ_ERRC_WRONG_STATE: it was stopped.
// MEZ_ERRC_OUT_OF_HOST_MEMORY.
MEZ_API MEZ_CHECKED mez_error mez_build_create(const mez_build_params *params, mez_build **build);

// Frees the build and sets *build to NULL; *build may be NULL. The split and the targets may be
// destroyed before the build.
MEZ_API void mez_build_destroy(mez_build **build);

// How many images the target with that index has got; 0 if there is no such target.
MEZ_API uint32_t mez_build_get_image_count(const mez_build *build, uint32_t target);

typedef enum mez_build_format {
    MEZ_BUILD_TABLE = 0,   // a file for each image, and a table that lists them
    MEZ_BUILD_SYCLBIN = 1, // one file
} mez_build_format;

// Writes the images. After an error no part of the result is left. The files of OUT.table are
// called OUT_0.spv for SPIR-V and OUT_intel_gpu_tgllp_0.bin for native code.
//
// MEZ_ERRC_FILE: a file can't be written; the story has the system's reason.
// MEZ_ERRC_INVALID_PARAMETER: NULL, an invalid format, or a table whose path is a device or a pipe.
// MEZ_ERRC_OUT_OF_HOST_MEMORY.
MEZ_API MEZ_CHECKED mez_error mez_build_write(
    mez_build *build, const char *path, mez_build_format format);

// --- Compilers

// What the compiler of a target says of itself.
typedef struct mez_compiler_info {
    char release[32]; // of the driver that it belongs to: "26.27.039122"
    // Its generation, as mez_judge_params.compiler takes it; static. NULL: not known.
    const char *generation;
    uint64_t reserved[4]; // zero: mezzanine/base.h
} mez_compiler_info;

// Asks the compiler that mez_target_limits.compiler names which version it is, by starting it as
// `ocloc query OCL_DRIVER_VERSION` in a temporary folder below TMPDIR. It takes as long as the
// program. `stop` NULL: that of the thread (mez_thread_set_stop), if it has one. On failure *info
// is zero.
//
// MEZ_ERRC_COMPILE_PROGRAM: the program is not installed, failed, or did not answer.
// MEZ_ERRC_FILE: no folder for files can be created in TMPDIR.
// MEZ_ERRC_INVALID_PARAMETER: NULL, or the target has no compiler.
// MEZ_ERRC_WRONG_STATE: it was stopped.
// MEZ_ERRC_OUT_OF_HOST_MEMORY.
MEZ_API MEZ_CHECKED mez_error mez_target_ask_compiler(
    const mez_target *target, mez_stop *stop, mez_compiler_info *info);

MEZ_END

#endif
