// SPDX-License-Identifier: MIT
//
// The compiler of kernels that the build has found.
//
// Thread-safety: safe.

#ifndef MEZ_COMPILE_BUILD_TIME_H
#define MEZ_COMPILE_BUILD_TIME_H

// Absolute paths, "" where there was none. They may have gone since.
typedef struct mez_build_time_compiler {
    const char *clang;
    const char *llvm_spirv;
} mez_build_time_compiler;

// A file of its own, so that tests can have another.
mez_build_time_compiler mez_compiler_of_build_time(void);

#endif
