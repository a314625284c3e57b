// SPDX-License-Identifier: MIT
//
// Having SPIR-V compiled by the driver, alone or linked with more.
//
// Each function adds what the driver's build log says to `build_log`. On failure nothing is left to be destroyed.

#ifndef MEZ_IMAGE_COMPILE_H
#define MEZ_IMAGE_COMPILE_H

#include "base/text.h"
#include "device/platform.h"

typedef struct mez_code {
    const void *bytes; // SPIR-V
    size_t size;
    const char *flags;                      // for the compiler
    const ze_module_constants_t *constants; // NULL: none
} mez_code;

mez_error mez_compile(const mez_device *device, const mez_code *code, mez_text *build_log,
    ze_module_handle_t *module);

// All linked by one compilation, for which the first one's flags count. At most MEZ_MOST_CODES; needs caps.module_program.
#define MEZ_MOST_CODES 3
mez_error mez_compile_program(const mez_device *device, const mez_code *codes, uint32_t count,
    mez_text *build_log, ze_module_handle_t *module);

// Both compiled by themselves, then linked. The second one holds what the first imports and must live as long.
mez_error mez_compile_and_link(const mez_device *device, const mez_code codes[2],
    mez_text *build_log, ze_module_handle_t modules[2]);

// Does the module lack symbols?
mez_error mez_has_imports(ze_module_handle_t module, bool *has);

#endif
