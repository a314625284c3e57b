// SPDX-License-Identifier: MIT
//
// Options, commands and messages of the programs of a compiler.

#include "compile/command.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/text.h"
#include "compile/compiler.h"

// --- Options

// Options whose value stands in the same word or in the next one.
static const char *const with_value[] = {"-D", "-U", "-I", "-include", "-imacros", "-isystem",
    "-idirafter", "-iquote", "-iprefix", "-iwithprefix", "-iwithprefixbefore", "-isysroot",
    "-Xclang", "-Xpreprocessor", "-mllvm", "--param"};

// What chooses the input, the output, the machine, or how far the compiler goes; an end of '*': whatever is behind it.
static const char *const not_for_users[] = {"-", "-c", "-S", "-E", "-o*", "-x*", "-emit-*",
    "-target*", "--target*", "-arch", "-m32", "-m64", "-M*", "-save-temps*", "--save-temps*",
    "-fsyntax-only", "-###", "--analyze", "--version", "-version", "--help*", "-help", "-h",
    "-print-*", "--print-*", "-dump*", "-working-directory*", "--serialize-diagnostics",
    "-finclude-default-header", "@*", "-ccc-*", "--driver-mode*", "--output*", "--language*",
    "--compile", "--assemble", "--preprocess", "--write-*", "--dependencies", "--user-dependencies",
    "--precompile", "--target-help", "-verify-pch", "-rewrite-*"};

// The same of what stands behind -Xclang, for the compiler behind the driver, and behind -mllvm.
static const char *const not_for_frontend[] = {"-E", "-S", "-o", "-x", "-emit-*", "-triple",
    "-fsyntax-only", "-ast-*", "-analyze", "-dump-*", "-print-*", "-dependency-*", "-M*",
    "-main-file-name", "-init-only", "-Eonly", "-version", "--version", "-help", "--help",
    "-rewrite-*", "-code-completion-at*"};
static const char *const not_for_llvm[] = {"-version", "--version", "-help*", "--help*"};

static bool matches(const char *word, const char *pattern)
{
    const size_t length = strlen(pattern);
    return pattern[length - 1] == '*' ? strncmp(word, pattern, length - 1) == 0
                                      : strcmp(word, pattern) == 0;
}

static bool is_one_of(const char *word, const char *const *patterns, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (matches(word, patterns[i]))
            return true;
    return false;
}

#define IS_ONE_OF(word, patterns) is_one_of(word, patterns, sizeof(patterns) / sizeof *(patterns))

bool mez_compile_option_takes_next(const char *word)
{
    return IS_ONE_OF(word, with_value);
}

static mez_error refuse_option(const char *word, const char *value)
{
    return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
        "%s%s%s can't be used here: the compiler's options don't choose input, target and output",
        word, value ? " " : "", value ? value : "");
}

// What the word hands on to another part of the compiler as its value, behind a '=' or in the next word; NULL: nothing.
static const char *handed_on(const char *word, const char *by, const char *next)
{
    const size_t length = strlen(by);
    if (strncmp(word, by, length) != 0 || (word[length] && word[length] != '='))
        return NULL;
    return word[length] ? word + length + 1 : next;
}

// "-Wp,-MD,FILE": the preprocessor's own.
static bool asks_preprocessor_for_list(const char *word)
{
    return strncmp(word, "-Wp,", 4) == 0 && strstr(word, ",-M");
}

static mez_error check_handed_on(const char *word, const char *next)
{
    const char *frontend = handed_on(word, "-Xclang", next);
    const char *llvm = handed_on(word, "-mllvm", next);
    const char *preprocessor = handed_on(word, "-Xpreprocessor", next);
    if ((frontend && IS_ONE_OF(frontend, not_for_frontend)) ||
        (llvm && IS_ONE_OF(llvm, not_for_llvm)) ||
        (preprocessor && IS_ONE_OF(preprocessor, not_for_users)))
        return refuse_option(word, next && strchr(word, '=') == NULL ? next : NULL);
    return asks_preprocessor_for_list(word) ? refuse_option(word, NULL) : mez_ok();
}

static mez_error check_option(const char *word, const char *next)
{
    if (word[0] != '-' && word[0] != '@')
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER, "\"%s\" is not an option", word);
    if (IS_ONE_OF(word, not_for_users))
        return refuse_option(word, NULL);
    if (mez_compile_option_takes_next(word) && !next)
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER, "the option %s has no value", word);
    return check_handed_on(word, next);
}

static bool is_cxx(const char *standard)
{
    return strncasecmp(standard, "clc++", 5) == 0;
}

// The last one holds, as it does for clang.
static void take_option(const char *word, mez_compile_options *options)
{
    if (strncmp(word, "-O", 2) == 0) {
        options->level = true;
        options->optimise = strcmp(word, "-O0") != 0;
    } else if (strcmp(word, "-cl-opt-disable") == 0 && !options->level) {
        options->level = true;
        options->optimise = false;
    } else if (strncmp(word, "-cl-std=", 8) == 0) {
        options->standard = true;
        options->cxx = is_cxx(word + 8);
    }
}

mez_error mez_compile_options_read(const mez_words *words, mez_compile_options *options)
{
    *options = (mez_compile_options){.optimise = true};
    for (size_t i = 0; words && i < words->count; i++) {
        MEZ_TRY(check_option(words->items[i], words->items[i + 1]));
        take_option(words->items[i], options);
        i += mez_compile_option_takes_next(words->items[i]);
    }
    return mez_ok();
}

// --- Commands

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

// --- What programs print

#define MOST_BYTES (1u << 20)

// What LLVM prints where it crashes, behind the reason.
static void cut_stack(char *text)
{
    char *stack = strstr(text, "PLEASE submit a bug report");
    if (stack && (stack == text || stack[-1] == '\n'))
        *stack = '\0';
}

// Whole lines where there are more bytes than are shown.
static void add_beginning(FILE *stream, char *room, mez_text *text)
{
    const size_t length = fread(room, 1, MOST_BYTES, stream);
    for (size_t i = 0; i < length; i++)
        if (!room[i])
            room[i] = ' ';
    room[length] = '\0';
    const bool more = length == MOST_BYTES && getc(stream) != EOF;
    cut_stack(room);
    char *line = more ? strrchr(room, '\n') : NULL;
    if (line)
        line[1] = '\0';
    mez_text_add(text, "%-s%-s", room, more ? "... and more\n" : "");
}

void mez_log_file(const char *path, mez_text *text)
{
    char *room = mez_alloc_array(MOST_BYTES + 1, 1);
    FILE *stream = room ? fopen(path, "rbe") : NULL;
    if (stream) {
        add_beginning(stream, room, text);
        fclose(stream);
    }
    mez_free_memory(room);
}
