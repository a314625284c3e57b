// SPDX-License-Identifier: MIT
//
// Compiles OpenCL C to SPIR-V, by starting clang and llvm-spirv of this machine (docs/kernels.md).
//
//     mez_compilation *compilation = NULL;
//     size_t size;
//     mez_error err = mez_compilation_create(
//         &(mez_compilation_params){.path = "heat.cl", .options = "-O3 -DWIDTH=64"}, &compilation);
//     const void *code = mez_compilation_get_code(compilation, &size); // NULL after an error
//     mez_compilation_destroy(&compilation);
//
// Part of libmezzanine-image (docs/toolchain.md), and of libmezzanine.
//
// Thread-safety: safe; a compilation never changes after its creation.

#ifndef MEZZANINE_COMPILE_H
#define MEZZANINE_COMPILE_H

#include <mezzanine/base.h>
#include <mezzanine/error.h>
#include <mezzanine/stop.h>

MEZ_BEGIN

// The result of compiling one source.
typedef struct mez_compilation mez_compilation;

// What the source is compiled to.
typedef enum mez_compilation_format {
    MEZ_COMPILATION_SPIRV = 0,
    MEZ_COMPILATION_BITCODE = 1, // LLVM's, so that LLVM can link several sources
} mez_compilation_format;

// Called with complete lines of text, which are valid during the call.
typedef void (*mez_compilation_text_function)(void *user, const char *text);

// Functions that mez_compilation_create calls before it returns, once each and also if it fails.
// Each may be NULL.
typedef struct mez_compilation_listener {
    // Gets the command lines that were run, one on each line, with a space between words and
    // without quotation marks. A line that ends with a colon is not a command; it says why the
    // commands after it were run.
    mez_compilation_text_function steps;
    mez_compilation_text_function printed; // gets what the compiler printed; never empty
    void *user;
    uint64_t reserved[4]; // must be zero: mezzanine/base.h
} mez_compilation_listener;

typedef struct mez_compilation_params {
    const char *path; // of the source file; NULL: `text` is the source
    const char *text; // the source; NULL if there is a path
    size_t text_size; // bytes; 0: up to its NUL
    // The name of the text in messages, __FILE__ and debug information; NULL: "source.cl".
    const char *name;
    // Options of clang, written as in a shell: "-O3 -DWIDTH=64 -I 'my folder'"; NULL: none. The
    // defaults are OpenCL C 2.0 and -O2.
    const char *options;
    // The compilers, as paths or as names that are looked for in PATH. NULL: as the variables
    // MEZ_CLANG and MEZ_LLVM_SPIRV say, or else two of this machine that have the same version.
    const char *clang;
    const char *llvm_spirv;
    mez_stop *stop; // NULL: that of the thread (mez_thread_set_stop), if it has one
    mez_compilation_format format;
    bool validate; // check the SPIR-V with spirv-val, if that is installed
    bool color;    // the compiler may print colours, as for a terminal
    // Take the SPIR-V from the cache of built binaries if nothing that it was made from has
    // changed, and otherwise store it there (docs/cache.md). The listener then gets no steps, and
    // what the compiler prints about a wrong source is only in the story. Can be used for SPIR-V
    // only, without `validate` and `color`.
    bool cached;
    mez_compilation_listener listener;
    uint64_t reserved[8]; // must be zero: mezzanine/base.h
} mez_compilation_params;

// Compiles the source, in a temporary folder below TMPDIR. *compilation is yours, to be given to
// mez_compilation_destroy; NULL after an error.
//
// MEZ_ERRC_COMPILE_PROGRAM: the compiler refused the source; the field "build log" of the story has
//     its messages. Or the source is SPIR-V or LLVM's bitcode, which has been compiled before.
// MEZ_ERRC_FILE: the source can't be read, there is no compiler, it can't be started, or no
//     folder for files can be created in TMPDIR.
// MEZ_ERRC_INVALID_PARAMETER: NULL, neither path nor text or both, an empty path, options that are
//     wrong or ask for something else than SPIR-V (-c, -o, -target, ...), an invalid format,
//     `cached` together with what it excludes, or `reserved` is not zero.
// MEZ_ERRC_WRONG_STATE: it was stopped.
// MEZ_ERRC_OUT_OF_HOST_MEMORY.
MEZ_API MEZ_CHECKED mez_error mez_compilation_create(
    const mez_compilation_params *params, mez_compilation **compilation);

// Frees the compilation and sets *compilation to NULL; *compilation may be NULL.
MEZ_API void mez_compilation_destroy(mez_compilation **compilation);

// The SPIR-V, in the byte order of this machine and aligned to its words, or the bitcode; *size is
// its size in bytes. It lives as long as the compilation.
MEZ_API const void *mez_compilation_get_code(const mez_compilation *compilation, size_t *size);

// What the compiler printed, such as warnings. "": nothing. Lives as long as the compilation.
MEZ_API const char *mez_compilation_get_log(const mez_compilation *compilation);

// The files that the compiler read, as it calls them: the source, unless it is a text, and
// everything that it includes, with headers of the compiler. NULL if `index` is not below the
// count. They live as long as the compilation.
MEZ_API uint32_t mez_compilation_get_file_count(const mez_compilation *compilation);
MEZ_API const char *mez_compilation_get_file(const mez_compilation *compilation, uint32_t index);

// Writes a rule for make, as compilers do: `target` depends on the files above, and each file
// except the source has an empty rule, so that make goes on if a header has been removed. At most
// `size` bytes are written with the final NUL; *length (NULL: not wanted) is the length of the
// whole text. `buffer` may be NULL if `size` is 0. `compilation` may be NULL as well; the rule then
// has no files, and the call shows whether `target` is a valid name before anything is compiled.
//
// MEZ_ERRC_INVALID_PARAMETER: `target` is NULL, or the name of the target or of a file can't be
//     written in a rule, such as a name with a newline, or a target with : % = or ;. Then nothing
//     is written.
// MEZ_ERRC_OUT_OF_HOST_MEMORY.
MEZ_API MEZ_CHECKED mez_error mez_compilation_get_rule(const mez_compilation *compilation,
    const char *target, char *buffer, size_t size, size_t *length);

// --- Options

// Checks options as mez_compilation_create does, without compiling. NULL: none.
//
// MEZ_ERRC_INVALID_PARAMETER: the options are wrong, or ask for something else than compiling one
//     source; the story has the word. MEZ_ERRC_OUT_OF_HOST_MEMORY.
MEZ_API MEZ_CHECKED mez_error mez_compilation_check_options(const char *options);

// Is the value of this option in the next word, as in "-I" "folder"? For programs that accept
// options of clang besides their own.
MEZ_API bool mez_compilation_option_takes_next(const char *word);

MEZ_END

#endif
