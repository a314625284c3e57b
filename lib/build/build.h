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

#include <mezzanine/build.h>

#include "base/file.h"
#include "base/text.h"
#include "child/child.h"
#include "container/bundle.h"
#include "split/split.h"
#include "target/target.h"

struct mez_build {
    // Binaries of an image stand together and have its number as `module`: SPIR-V first, then native ones in the order of the
    // targets.
    mez_bundle *bundle;
    uint32_t *counts; // for each target: of images that it got
    uint32_t target_count, image_count;
};

// --- Compilers of targets
//
// Compiling SPIR-V ahead of time, by the program that a target's aot-toolchain names. It is called as ocloc is:
//
//     ocloc compile -spirv_input -file FOLDER/3.spv -out_dir FOLDER -output 3_1.bin -output_no_suffix -device tgllp ...
//
// Thread-safety: safe for other names in the same folder.

typedef struct mez_aot {
    const mez_target *target; // has an aot_toolchain
    const char *options;      // more of them, as in a shell, behind the target's own; NULL: none
    const char *folder;       // where all files are
    const char *code_name;    // of the file with the SPIR-V
    const char *result_name;  // of the file that the program is to write; its output is beside it
    mez_stop *stop;
} mez_aot;

// Runs the program and reads what it has made into `binary`, which is then the caller's to finish. What the program printed is added
// to `output`, or to the error's story: the end of it, where it is long.
//
// MEZ_ERRC_FILE: the program can't be run; the story says how to install it or choose another. MEZ_ERRC_COMPILE_PROGRAM: it failed, with
// its exit status or signal; or it wrote nothing, or nothing that is native code. MEZ_ERRC_INVALID_PARAMETER: options that end
// within a word. MEZ_ERRC_WRONG_STATE: stopped. MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_aot_compile(const mez_aot *aot, mez_text *output, mez_file *binary);

#endif
