// SPDX-License-Identifier: MIT
//
// OpenCL C as device code: what the compiler of this machine makes of it, or has made of it before.
//
// SPIR-V is kept in the cache of built binaries. It is found again by the text or the file's path, the options, the compiler, and
// the content of every file that was included; then no compiler is started. A header that has changed or is gone, and one that
// has appeared where it would be found first, means that it is compiled again.
//
// Thread-safety: safe, for any number of threads and processes at the same time.

#ifndef MEZ_SOURCE_SOURCE_H
#define MEZ_SOURCE_SOURCE_H

#include "cache/cache.h"
#include "compile/compile.h"

typedef struct mez_source {
    const char *path;                  // a file; or NULL, and then
    const char *text;                  // OpenCL C, with a NUL behind it
    const char *name;                  // what messages call the text; NULL: "source.cl"
    const mez_words *options;          // in clang's words; NULL: none
    const mez_compiler_choice *choice; // NULL: nothing is chosen
} mez_source;

typedef struct mez_source_code {
    void *spirv; // to be freed with mez_free_memory, where mez_source_code_finish does not do it
    size_t size;
    char *log;       // warnings of the compiler, also where it was not started; "": none; likewise
    mez_words files; // that were read, as in mez_compiled
} mez_source_code;

// Is the file OpenCL C by its name? It ends in ".cl" then.
bool mez_source_is_file(const char *path);

// `cache` may be NULL or switched off. Errors: those of mez_compiler_find and mez_compile; then there is nothing to free.
mez_error mez_source_get(mez_cache *cache, const mez_source *source, mez_source_code *code);

// Frees what is left in it.
void mez_source_code_finish(mez_source_code *code);

#endif
