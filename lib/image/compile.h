// SPDX-License-Identifier: MIT
//
// Having code compiled by the driver, alone or linked with more.
//
// Each function adds what the driver's build log says to `build_log`; what was compiled before may come from the cache, and says
// nothing. On failure nothing is left to be destroyed. Errors: what the driver says; MEZ_ERRC_KERNEL, it has left out a kernel that was
// wanted.

#ifndef MEZ_IMAGE_COMPILE_H
#define MEZ_IMAGE_COMPILE_H

#include "base/text.h"
#include "device/platform.h"
#include "image/kernel_names.h"

typedef struct mez_code {
    const void *bytes;
    size_t size;
    bool native;                            // what the driver takes as it is; else SPIR-V
    const char *flags;                      // for the compiler
    const ze_module_constants_t *constants; // NULL: none
    const mez_wanted_kernels *wanted;       // what must become of it; NULL: nothing particular
    // What is made of it is not for the cache: the compiler puts in what belongs to this process.
    bool fleeting;
} mez_code;

mez_error mez_compile_module(const mez_device *device, const mez_code *code, mez_text *build_log,
    ze_module_handle_t *module);

// All linked by one compilation, for which the first one's flags count. Needs caps.module_program, and SPIR-V only.
mez_error mez_compile_program(const mez_device *device, const mez_code *codes, uint32_t count,
    mez_text *build_log, ze_module_handle_t *module);

// Each compiled by itself, then linked. The others hold what the first imports and must live as long.
mez_error mez_compile_and_link(const mez_device *device, const mez_code *codes, uint32_t count,
    mez_text *build_log, ze_module_handle_t *modules);

// Does the module lack symbols?
mez_error mez_has_imports(ze_module_handle_t module, bool *has);

#endif
