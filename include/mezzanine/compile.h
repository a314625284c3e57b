// SPDX-License-Identifier: MIT
//
// Compiling: OpenCL C to SPIR-V, by clang and llvm-spirv of this machine, in processes of their own
// (docs/kernels.md).
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

// What a compiler has made of one source.
typedef struct mez_compilation mez_compilation;

// What is made of the source.
typedef enum mez_compilation_format {
    MEZ_COMPILATION_SPIRV = 0,
    MEZ_COMPILATION_BITCODE = 1, // LLVM's, for programs of several sources that LLVM links
} mez_compilation_format;

// Called with whole lines of text, which are valid during the call.
typedef void (*mez_compilation_text_function)(void *user, const char *text);

// What is called once each at the end of mez_compilation_create, in its thread, whether or not it
// failed. Each may be NULL.
typedef struct mez_compilation_listener {
    // The command lines that were run, one on a line, as words with a space between them: nothing
    // is quoted. A line that ends with a colon is none, and says why the next ones were run.
    mez_compilation_text_function steps;
    mez_compilation_text_function printed; // by the compiler, as it is; never empty
    void *user;
    uint64_t reserved[4]; // must be zero: mezzanine/base.h
} mez_compilation_listener;

typedef struct mez_compilation_params {
    const char *path; // of the source; or NULL, and then
    const char *text; // the source itself
    size_t text_size; // bytes; 0: up to its NUL
    // What messages, __FILE__ and debug information call the text; NULL: "source.cl".
    const char *name;
    // Of clang, as in a shell: "-O3 -DWIDTH=64 -I 'my folder'"; NULL: none. Without an option for
    // them it is OpenCL C 2.0 at -O2.
    const char *options;
    // Programs, by their paths or by names that are looked for in PATH; NULL: the variables
    // MEZ_CLANG and MEZ_LLVM_SPIRV, else those of this machine that fit each other.
    const char *clang;
    const char *llvm_spirv;
    mez_stop *stop; // NULL: that of the thread (mez_thread_set_stop), or nobody stops it
    mez_compilation_format format;
    bool validate; // have SPIR-V checked by spirv-val, where that is installed
    bool color;    // what the compiler prints is for a terminal
    // Take SPIR-V from the cache of built binaries, where all that it was made of is as it was, and
    // store it there (docs/cache.md). The listener gets no steps then, and what the compiler prints
    // of a wrong source is in the story alone. Not together with `validate` or `color`, and for
    // SPIR-V alone.
    bool cached;
    mez_compilation_listener listener;
    uint64_t reserved[8]; // must be zero: mezzanine/base.h
} mez_compilation_params;

// Compiles, in a folder below TMPDIR that is removed again. *compilation is yours, to be given to
// mez_compilation_destroy; NULL after an error.
//
// MEZ_ERRC_COMPILE_PROGRAM: the source is wrong; the story's "build log" has the compiler's
//     messages. Or it has been compiled before: it is SPIR-V, or LLVM's bitcode.
// MEZ_ERRC_FILE: the source can't be read, there is no compiler, it can't be started, or no
//     folder for files can be created in TMPDIR.
// MEZ_ERRC_INVALID_PARAMETER: NULL, neither path nor text or both, an empty path, options that are
//     wrong or ask for something else than SPIR-V (-c, -o, -target, ...), an invalid format,
//     `cached` with what it excludes, or `reserved` is not zero.
// MEZ_ERRC_WRONG_STATE: it was stopped.
// MEZ_ERRC_OUT_OF_HOST_MEMORY.
MEZ_API MEZ_CHECKED mez_error mez_compilation_create(
    const mez_compilation_params *params, mez_compilation **compilation);

// Sets *compilation to NULL; NULL inside is fine.
MEZ_API void mez_compilation_destroy(mez_compilation **compilation);

// The SPIR-V, in the byte order of this machine and aligned for its words, or the bitcode; *size is
// its bytes. It lives as long as the compilation.
MEZ_API const void *mez_compilation_get_code(const mez_compilation *compilation, size_t *size);

// What the compiler printed: its warnings. "": nothing. Lives as long as the compilation.
MEZ_API const char *mez_compilation_get_log(const mez_compilation *compilation);

// The files that were read, by the compiler's names for them: the source, unless it is a text, and
// everything that it includes, headers of the compiler's own among them. NULL where `index` is past
// the last. They live as long as the compilation.
MEZ_API uint32_t mez_compilation_get_file_count(const mez_compilation *compilation);
MEZ_API const char *mez_compilation_get_file(const mez_compilation *compilation, uint32_t index);

// The files as a rule for make, as compilers write it: `target` depends on them, and an empty rule
// for each file but the source lets make go on where a header is gone. Written as
// mez_error_get_story writes: at most `size` bytes with the final NUL; *length (NULL: not wanted)
// is that of the whole text. `buffer` may be NULL where `size` is 0. `compilation` may be NULL,
// too: a rule without files, to ask before compiling whether a target can be named.
//
// MEZ_ERRC_INVALID_PARAMETER: `target` is NULL, or it or a file has a name that no rule can have,
// such as one with a line's end, and for the target one with : % = or ;. Nothing is written then.
// MEZ_ERRC_OUT_OF_HOST_MEMORY.
MEZ_API MEZ_CHECKED mez_error mez_compilation_get_rule(const mez_compilation *compilation,
    const char *target, char *buffer, size_t size, size_t *length);

// --- Options

// Checks options as mez_compilation_create does, without compiling. NULL: none.
//
// MEZ_ERRC_INVALID_PARAMETER: they are wrong, or ask for something else than compiling one source;
// the story names the word. MEZ_ERRC_OUT_OF_HOST_MEMORY.
MEZ_API MEZ_CHECKED mez_error mez_compilation_check_options(const char *options);

// Has the option its value in the next word, as in "-I" "folder"? For programs that take options of
// clang among others.
MEZ_API bool mez_compilation_option_takes_next(const char *word);

MEZ_END

#endif
