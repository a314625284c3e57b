// SPDX-License-Identifier: MIT
//
// The compiler of this machine: clang, which makes LLVM's bitcode of OpenCL C, and llvm-spirv of the same version, which makes
// SPIR-V of that. They are looked for where the user says, where the build of this library found them, and in PATH, there by the
// names of one version together (clang-19 and llvm-spirv-19), the newest first, and by their plain names last. What is ccache,
// distcc, icecc or sccache under such a name is ignored.
//
// Thread-safety: safe, except for finishing.

#ifndef MEZ_COMPILE_COMPILER_H
#define MEZ_COMPILE_COMPILER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

// What the user says: a path, or a name that is looked for in PATH. Zeroed memory: nothing.
typedef struct mez_compiler_choice {
    const char *clang;      // NULL: MEZ_CLANG, else the search
    const char *llvm_spirv; // NULL: MEZ_LLVM_SPIRV, else the one that goes with clang
} mez_compiler_choice;

typedef struct mez_compiler {
    char *clang; // absolute paths
    char *llvm_spirv;
    char *spirv_val; // which says whether SPIR-V is valid; NULL: it is not installed
    // Which programs these are, as text: their files with size and time, and how this library calls them. What is kept of a
    // compilation holds as long as this stays the same.
    char *identity;
} mez_compiler;

// Finds it without starting anything. `choice` may be NULL.
//
// MEZ_ERRC_FILE: there is none, and what to install; or what the user names is not a program, or only one of the two was found.
// MEZ_ERRC_OUT_OF_HOST_MEMORY. There is nothing to finish after an error.
mez_error mez_compiler_find(const mez_compiler_choice *choice, mez_compiler *compiler);
void mez_compiler_finish(mez_compiler *compiler);

// --- Headers
//
// Our own headers for kernels: <mezzanine/assert.h>, <mezzanine/aspects.h>. They were installed with this library.

// Writes the folder that a compiler needs to find them. False: they are nowhere, and kernels that include them say so.
bool mez_kernel_headers_find(char *folder, size_t size);

// --- The compiler that the build has found

// Absolute paths, "" where there was none. They may have gone since.
typedef struct mez_build_time_compiler {
    const char *clang;
    const char *llvm_spirv;
} mez_build_time_compiler;

// In a file of its own, build_time.c, so that tests can have another.
mez_build_time_compiler mez_compiler_of_build_time(void);

#endif
