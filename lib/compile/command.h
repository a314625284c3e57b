// SPDX-License-Identifier: MIT
//
// How the programs of a compiler are called: the options that users give, the commands, and what the programs print.
//
// Thread-safety: safe.

#ifndef MEZ_COMPILE_COMMAND_H
#define MEZ_COMPILE_COMMAND_H

#include <stdbool.h>

#include "base/text.h"
#include "child/words.h"
#include "compile/compile.h"

// --- Options
//
// What they mean is clang's business, except for those that would make it do something else than compile this one source.

typedef struct mez_compile_options {
    bool level;    // they say how much is optimised: -O.., -cl-opt-disable
    bool optimise; // and not that nothing is; true where they don't say
    bool standard; // they say which OpenCL C it is: -cl-std=
    bool cxx;      // and that it is C++ for OpenCL
} mez_compile_options;

// Is the next word the value of this one, as in "-I" "folder"?
bool mez_compile_option_takes_next(const char *word);

// `words` may be NULL. MEZ_ERRC_INVALID_PARAMETER: a word that is not an option, one without its value, or one that is not for users;
// it is named.
mez_error mez_compile_options_read(const mez_words *words, mez_compile_options *options);

// --- Commands

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

// --- What they print

// Adds what the file has, its beginning where it is long: the first of a compiler's messages matter most. NULs become blanks, and
// the stack of a program of LLVM that crashed is left out. A file that can't be read adds nothing.
void mez_log_file(const char *path, mez_text *text);

#endif
