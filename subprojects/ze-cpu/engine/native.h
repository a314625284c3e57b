// SPDX-License-Identifier: MIT
//
// Native binaries: the bytes that zeModuleGetNativeBinary gives and zeModuleCreate takes back.
//
// Every program is made of one: a build ends with writing it, and what runs is what was read from
// it. A binary begins with a header (magic, version, size, checksum of the rest). Three texts say who
// can run it: the engine that made it, the processor it was made for, the device it was made for.
// Then come kernels, variables, symbols and three blocks: native code, the variables' initial values,
// and LLVM bitcode to link other programs with. Numbers are in the machine's byte order, texts end
// with a zero.
//
// The checksum finds damage, not malice: who loads a native binary runs its code.
//
// This part knows nothing of LLVM. Thread-safety: none of its own; a binary that was read is only
// read.

#ifndef ZC_ENGINE_NATIVE_H
#define ZC_ENGINE_NATIVE_H

#include "bytes.h"
#include "engine.h"
#include "mode.h"

// A list of names.
struct zc_names {
    const char **list;
    uint32_t count;
};

// A program-scope variable in global memory. Others than the exported ones are known by name to the
// program's own code only.
struct zc_variable {
    const char *name;
    uint64_t size; // bytes
    bool is_exported;
};

struct zc_native {
    const char *engine;
    const char *processor;
    const char *device;
    bool exposes_variables;
    bool has_debug_info; // the code has, and debuggers are notified of it
    bool optimise;       // code that is linked with this is optimised
    bool is_lazy; // there is no code: kernels are compiled from `linkable` when they are asked for
    enum zc_mode mode;
    uint32_t checks; // what the code was built to check, ZC_CHECK_...
    struct zc_kernel *kernels;
    uint32_t kernel_count;
    struct zc_variable *variables;
    uint32_t variable_count;
    struct zc_names imports; // what no module defined; then there is no code
    struct zc_names exports; // functions and variables, without kernels
    struct zc_span code;
    struct zc_span data;     // none where there are no variables
    struct zc_span linkable; // none where nothing is imported or exported
};

// Returns malloc'ed bytes; NULL when memory is short.
void *zc_native_write(const struct zc_native *native, size_t *size);

// Reads what write wrote. Texts and blocks point into `bytes`, the lists are the caller's to finish.
// Returns what is wrong with the bytes, or NULL: then *native is set. ZC_READ_NO_MEMORY is
// returned when memory is short.
const char *zc_native_read(const void *bytes, size_t size, struct zc_native *native);

// Frees the lists that were read, not what they point to.
void zc_native_finish(struct zc_native *native);

// The header's size, and what sets the size and the checksum in it: for tests that change the rest.
#define ZC_NATIVE_HEADER_SIZE 32
void zc_native_seal(void *bytes, size_t size);

#endif
