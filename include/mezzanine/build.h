// SPDX-License-Identifier: MIT
//
// Building ahead of time: the images of a split for several targets. A target with a compiler of
// its own ("ocloc") gets native code of each image that it can run, which that program makes; any
// other target gets the SPIR-V itself.
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
// Thread-safety: none for the same build; different ones may be made and written at the same time.

#ifndef MEZZANINE_BUILD_H
#define MEZZANINE_BUILD_H

#include <mezzanine/base.h>
#include <mezzanine/error.h>
#include <mezzanine/split.h>
#include <mezzanine/stop.h>
#include <mezzanine/target.h>

MEZ_BEGIN

typedef struct mez_build mez_build;

// One image for one target. Valid during the call that gets it.
typedef struct mez_build_step {
    const char *image; // "app_3"
    const char *const *kernels;
    size_t kernel_count;
    const mez_target *target;
} mez_build_step;

// Called with a text about a step.
typedef void (*mez_build_text_function)(void *user, const mez_build_step *step, const char *text);

// Called before a compiler is started, number 1 to `count`.
typedef void (*mez_build_begin_function)(
    void *user, const mez_build_step *step, uint32_t number, uint32_t count);

// What is called while it is built, in the thread that builds. Each may be NULL.
typedef struct mez_build_listener {
    mez_build_text_function leave_out; // the target can't run it, for this reason: "aspect fp64"
    mez_build_begin_function begin;
    mez_build_text_function printed; // by the compiler; never empty
    void *user;
    uint64_t reserved[4]; // must be zero: mezzanine/base.h
} mez_build_listener;

typedef struct mez_build_params {
    const mez_split *split;
    const char *name; // of the images, before their numbers: "app"
    const mez_target *const *targets;
    uint32_t target_count;
    // For all compilers, as in a shell, behind the targets' own; NULL: none.
    const char *aot_options;
    uint32_t jobs;  // compilers at a time, 256 at most; 0: one for each processor
    mez_stop *stop; // NULL: nobody stops it
    mez_build_listener listener;
    uint64_t reserved[8]; // must be zero: mezzanine/base.h
} mez_build_params;

// Builds everything, and once for a target that is there twice. It is not an error that a target
// gets no image. *build is yours, to be given to mez_build_destroy; NULL after an error.
//
// MEZ_ERRC_COMPILE_PROGRAM: a compiler failed, and the story has what it printed.
// MEZ_ERRC_FILE: a compiler can't be started, or there is no folder for files in TMPDIR.
// MEZ_ERRC_INVALID_PARAMETER: NULL, also as a target, a target for which nothing can be built, two
//     of one name from different tables, options with an open quotation mark, or `reserved` is not
//     zero.
// MEZ_ERRC_WRONG_STATE: it was stopped.
// MEZ_ERRC_OUT_OF_HOST_MEMORY.
MEZ_API MEZ_CHECKED mez_error mez_build_create(const mez_build_params *params, mez_build **build);

// Sets *build to NULL; NULL inside is fine. What it was made of may be gone before.
MEZ_API void mez_build_destroy(mez_build **build);

// How many images the target of that number has got; 0 for a number that none has.
MEZ_API uint32_t mez_build_get_image_count(const mez_build *build, uint32_t target);

typedef enum mez_build_format {
    MEZ_BUILD_TABLE = 0,   // files beside each other, and a table of them
    MEZ_BUILD_SYCLBIN = 1, // one file
} mez_build_format;

// Writes the result, which appears whole or not at all. The files of OUT.table are OUT_0.spv for
// SPIR-V and OUT_intel_gpu_tgllp_0.bin for native code.
//
// MEZ_ERRC_FILE: a file can't be written, with the system's reason. MEZ_ERRC_INVALID_PARAMETER:
// NULL, an invalid format, or the path of a table is a device or a pipe.
// MEZ_ERRC_OUT_OF_HOST_MEMORY.
MEZ_API MEZ_CHECKED mez_error mez_build_write(
    mez_build *build, const char *path, mez_build_format format);

MEZ_END

#endif
