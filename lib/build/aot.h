// SPDX-License-Identifier: MIT
//
// Compiling SPIR-V ahead of time, by the program that a target's aot-toolchain names. It is called as ocloc is:
//
//     ocloc compile -spirv_input -file FOLDER/3.spv -out_dir FOLDER -output 3_1.bin -output_no_suffix -device tgllp ...
//
// Thread-safety: safe for other names in the same folder.

#ifndef MEZ_BUILD_AOT_H
#define MEZ_BUILD_AOT_H

#include "base/file.h"
#include "base/text.h"
#include "child/child.h"
#include "target/target.h"

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
