// SPDX-License-Identifier: MIT
//
// How the programs of a compiler are called.
//
// Thread-safety: safe.

#ifndef MEZ_COMPILE_COMMAND_H
#define MEZ_COMPILE_COMMAND_H

#include "compile/compile.h"
#include "compile/options.h"

typedef struct mez_clang_call {
    // clang knows most of OpenCL C's functions by itself, which is quick; the header that declares all of them, also Intel's
    // (intel_sub_group_block_read), takes five times as long.
    bool all_functions;
    const char *source;
    const char *name;   // of the source in debug information
    const char *folder; // that is not to be seen there; NULL: none
    const char *result;
    const char *list; // of the files that were read
} mez_clang_call;

typedef struct mez_llvm_spirv_call {
    const char *most; // version of SPIR-V: "1.2"
    bool registers;   // variables are put into them
    const char *bitcode;
    const char *result;
} mez_llvm_spirv_call;

// MEZ_ERRC_OUT_OF_HOST_MEMORY; then some words may have been added.
mez_error mez_clang_command(const mez_compile_params *params, const mez_compile_options *options,
    const mez_clang_call *call, mez_words *command);
mez_error mez_llvm_spirv_command(
    const mez_compile_params *params, const mez_llvm_spirv_call *call, mez_words *command);

#endif
