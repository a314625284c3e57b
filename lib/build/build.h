// SPDX-License-Identifier: MIT
//
// Building ahead of time: a split's images for several targets. What a target lacks decides which images it gets, as in
// filter/filter.h; code with fixed targets is built for those of them that are asked for.
//
//     mez_build *build;
//     MEZ_TRY(mez_build_create(&params, &build));
//     mez_error error = mez_build_write(build, "app.table", MEZ_BUILD_TABLE);
//     mez_build_destroy(&build);
//
// A target with an aot_toolchain gets native code, which that program makes; any other gets the SPIR-V itself, which is there once
// for all of them.

#ifndef MEZ_BUILD_BUILD_H
#define MEZ_BUILD_BUILD_H

#include "child/stop.h"
#include "container/binary.h"
#include "split/split.h"

// What is told of: one image for one target.
typedef struct mez_build_step {
    const char *image; // "app_3"
    const mez_symbols *kernels;
    const mez_target *target;
} mez_build_step;

// Each may be NULL. They are called in the thread that builds.
typedef struct mez_build_listener {
    void (*leave_out)(void *context, const mez_build_step *step, const char *why);
    void (*begin)(void *context, const mez_build_step *step, uint32_t number,
        uint32_t count); // of 1 to count: the programs that have to run
    void (*printed)(void *context, const mez_build_step *step, const char *text); // by its program
    void *context;
} mez_build_listener;

typedef struct mez_build_params {
    const mez_split *split;
    const char *name; // of the images, before their numbers: "app"
    const mez_target *const *targets;
    uint32_t target_count;
    mez_requirements_writing writing; // how the split writes requirements
    const char *aot_options;          // for all programs, behind the target's own; NULL: none
    uint32_t jobs; // programs at a time, at most MEZ_MOST_CHILDREN; 0: one for each processor
    mez_stop *stop;
    mez_build_listener listener;
} mez_build_params;

typedef struct mez_build {
    // Binaries of an image stand together and have its number as `module`: SPIR-V first, then native ones in the order of the
    // targets.
    mez_bundle *bundle;
    uint32_t *counts; // for each target: of images that it got
    uint32_t image_count;
} mez_build;

// Builds all; files are kept in a folder of their own meanwhile. That a target gets nothing is no error.
//
// As mez_split_make_image and mez_aot_compile, for whichever image fails, which the story names; others are not begun then.
// MEZ_ERRC_FILE: no folder in TMPDIR, or it is full. *build is the caller's after success, else NULL.
mez_error mez_build_create(const mez_build_params *params, mez_build **build);
void mez_build_destroy(mez_build **build);

typedef enum mez_build_format { MEZ_BUILD_TABLE, MEZ_BUILD_SYCLBIN } mez_build_format;

// Writes the result. Nothing is seen of it before all is written, and nothing stays after an error. The files of a table are
// OUT_0.spv for SPIR-V and OUT_intel_gpu_tgllp_0.bin for native code; the property compile_target says the target.
//
// MEZ_ERRC_FILE: a file can't be written. MEZ_ERRC_INVALID_PARAMETER: a name that the forms can't hold.
// MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_build_write(mez_build *build, const char *path, mez_build_format format);

#endif
