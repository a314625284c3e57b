// SPDX-License-Identifier: MIT

#include "compile/command.h"

#include <limits.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/text.h"
#include "compile/compiler.h"

static mez_error add_words(mez_words *command, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        MEZ_TRY(mez_words_add(command, words[i]));
    return mez_ok();
}

#define ADD(command, ...)                                  \
    add_words(command, (const char *const[]){__VA_ARGS__}, \
        sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

// --- clang

// LLVM's passes make what SPIR-V has no words for, as freeze, integers of 3 bits and reductions of vectors, and the drivers' compilers
// run passes of their own, so clang runs none. -O1 and above still matter: -O0 forbids those compilers to inline anything.
static mez_error add_meaning(
    const mez_compile_params *params, const mez_compile_options *options, mez_words *command)
{
    MEZ_TRY(ADD(command, "-target", "spir64-unknown-unknown", "-Xclang", "-disable-llvm-passes",
        // Headers of the host want others that are not for kernels; clang's own are found.
        "-nostdlibinc",
        // Where clang crashes, as on a full disk, it would leave files outside of our folder.
        "-fno-crash-diagnostics",
        // Messages about a kernel's arguments have their names, then.
        "-cl-kernel-arg-info"));
    // A function that is inline and nothing else has a body here, as people expect, not in some other source. In C++ it has by itself.
    if (!options->cxx)
        MEZ_TRY(ADD(command, "-fgnu89-inline"));
    if (!options->standard)
        MEZ_TRY(ADD(command, "-cl-std=CL2.0"));
    if (!options->level)
        MEZ_TRY(ADD(command, "-O2"));
    // What is marked as not to be optimised could not be put into registers where that has to be.
    if (!options->optimise)
        MEZ_TRY(ADD(command, "-Xclang", "-disable-O0-optnone"));
    for (size_t i = 0; params->options && i < params->options->count; i++)
        MEZ_TRY(mez_words_add(command, params->options->items[i]));
    return mez_ok();
}

// Behind all folders of the user.
static mez_error add_headers(mez_words *command)
{
    char path[PATH_MAX];
    return mez_kernel_headers_find(path, sizeof path) ? ADD(command, "-idirafter", path) : mez_ok();
}

// clang puts the folder of the file that it reads before any name of the source.
static mez_error add_name(const mez_clang_call *call, mez_words *command)
{
    char *option = mez_print_string("-fdebug-prefix-map=%s/=", call->folder);
    const mez_error error =
        option ? mez_words_add(command, option) : mez_error_no_memory("an option");
    mez_free_memory(option);
    MEZ_TRY(error);
    return ADD(command, "-Xclang", "-main-file-name", "-Xclang", call->name);
}

mez_error mez_clang_command(const mez_compile_params *params, const mez_compile_options *options,
    const mez_clang_call *call, mez_words *command)
{
    MEZ_TRY(ADD(command, params->compiler->clang, "-x", "cl"));
    if (params->output == MEZ_COMPILE_PREPROCESSED)
        MEZ_TRY(ADD(command, "-E"));
    else
        MEZ_TRY(ADD(command, "-c", "-emit-llvm"));
    if (call->all_functions)
        MEZ_TRY(ADD(command, "-cl-no-stdinc", "-Xclang", "-finclude-default-header"));
    MEZ_TRY(add_meaning(params, options, command));
    MEZ_TRY(add_headers(command));
    MEZ_TRY(ADD(command, params->color ? "-fcolor-diagnostics" : "-fno-color-diagnostics", "-MD",
        "-MT", "source", "-MF", call->list, "-o", call->result));
    if (call->folder)
        MEZ_TRY(add_name(call, command));
    return ADD(command, "--", call->source);
}

// --- llvm-spirv

// What Intel's drivers know and kernels can ask for; nothing of it is in SPIR-V that needs none. An extension that llvm-spirv would
// use where it need not, as for __builtin_expect, is not here: without it there are more drivers that know the result.
#define EXTENSIONS                                                                       \
    "--spirv-ext=+SPV_EXT_shader_atomic_float_add,+SPV_EXT_shader_atomic_float_min_max," \
    "+SPV_INTEL_inline_assembly,+SPV_INTEL_media_block_io,+SPV_INTEL_subgroups,"         \
    "+SPV_KHR_bit_instructions,+SPV_KHR_integer_dot_product,+SPV_KHR_subgroup_rotate,"   \
    "+SPV_KHR_uniform_group_instructions"

static mez_error add_most(const char *most, mez_words *command)
{
    char option[64];
    snprintf(option, sizeof option, "--spirv-max-version=%s", most);
    return mez_words_add(command, option);
}

mez_error mez_llvm_spirv_command(
    const mez_compile_params *params, const mez_llvm_spirv_call *call, mez_words *command)
{
    MEZ_TRY(ADD(command, params->compiler->llvm_spirv));
    MEZ_TRY(add_most(call->most, command));
    MEZ_TRY(ADD(command, EXTENSIONS));
    if (call->registers)
        MEZ_TRY(ADD(command, "--spirv-mem2reg"));
    return ADD(command, "-o", call->result, call->bitcode);
}
