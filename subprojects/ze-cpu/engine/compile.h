// SPDX-License-Identifier: MIT
//
// Compiling: from SPIR-V, or from what was kept of it, to a native binary.

#ifndef ZC_ENGINE_COMPILE_H
#define ZC_ENGINE_COMPILE_H

#include "build.h"

struct zc_compilation {
    // Fills the build's module; data is what it is made of.
    bool (*load)(struct zc_build *build, const void *data);
    const void *data;
    const struct zc_features *features;
    const char *device; // what zc_identity_device says of it
    bool exposes_variables;
    bool may_be_lazy;
    uint32_t checks;          // ZC_CHECK_...
    const enum zc_mode *mode; // NULL: that of the environment
};

// *bytes is malloc'ed; NULL unless ZC_BUILD_OK.
enum zc_build_result zc_compile(
    struct zc_log *log, const struct zc_compilation *compilation, void **bytes, size_t *size);

#endif
