// SPDX-License-Identifier: MIT
//
// Kernels from source: OpenCL C to SPIR-V, by the compiler of this machine in processes of its own.
//
//     mez_compiler compiler;
//     MEZ_TRY(mez_compiler_find(NULL, &compiler));
//     const mez_compile_params params = {.compiler = &compiler, .path = "heat.cl", .options = &options};
//     mez_compiled compiled;
//     mez_error error = mez_compile(&params, &compiled);
//     ... compiled.log, and after success compiled.code
//     mez_compiled_finish(&compiled);
//
// Whatever clang accepts is compiled, at every level of optimisation; command.c says how.
//
// Thread-safety: safe.

#ifndef MEZ_COMPILE_COMPILE_H
#define MEZ_COMPILE_COMPILE_H

#include "base/text.h"
#include "child/child.h"
#include "child/words.h"
#include "compile/compiler.h"

typedef enum mez_compile_output {
    MEZ_COMPILE_SPIRV,
    MEZ_COMPILE_BITCODE,      // LLVM's, for programs of several translation units
    MEZ_COMPILE_PREPROCESSED, // the text that is compiled, all files in it: for keys of caches
} mez_compile_output;

// Zeroed memory except for the compiler and a source means: SPIR-V, OpenCL C 2.0, -O2, no options.
typedef struct mez_compile_params {
    const mez_compiler *compiler;

    // The source: a file or a stream, which is read once, or where `path` is NULL `text`, which needs no NUL behind it.
    const char *path;
    const char *text;
    size_t text_size;
    // What messages, __FILE__ and debug information call the text; NULL or "": "source.cl", and "folder/"
    // is the "source.cl" in there. A file is called by its path.
    const char *name;

    // In clang's words: -DNAME=VALUE, -Ifolder, -O0 to -O3, -g, -cl-fast-relaxed-math, ... One that has its value as a word of its
    // own ("-I", "folder") is fine. NULL: none. mez_words_split takes them out of one text.
    const mez_words *options;

    mez_compile_output output;
    bool validate;  // the SPIR-V is shown to spirv-val, where that is installed
    bool color;     // the log is for a terminal
    mez_stop *stop; // NULL: that of the thread, or nobody stops it
} mez_compile_params;

typedef struct mez_compiled {
    // never NULL after success; SPIR-V in this machine's byte order, aligned for its words
    void *code;
    size_t size;
    // that were read, as the compiler names them: the source, where it is a file and no stream, and all that it includes
    mez_words files;
    char *log; // what the compiler printed, warnings and errors, as it is; NULL only without memory
    // the commands that were run, one on a line, and why where that is not plain; NULL likewise
    char *steps;
} mez_compiled;

// Compiles in a folder of its own below TMPDIR, which is removed again. *compiled is to be finished in any case: after an error
// `log` and `steps` are what there was.
//
// MEZ_ERRC_COMPILE_PROGRAM: the source is wrong, or nothing valid comes of it; the story's "build log" has the programs' messages.
// MEZ_ERRC_FILE: the source can't be read, no folder can be made, there is no room in it, or a program of the compiler can't be
// run. MEZ_ERRC_INVALID_PARAMETER: an option that is none, or that asks for something else than this function makes (-c, -o,
// -target, ...). MEZ_ERRC_WRONG_STATE: it was stopped. MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_compile(const mez_compile_params *params, mez_compiled *compiled);
void mez_compiled_finish(mez_compiled *compiled);

#endif
