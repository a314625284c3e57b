// SPDX-License-Identifier: MIT
//
// Which kernels a driver's module has.
//
// Thread-safety: safe, for a module that nobody destroys meanwhile.

#ifndef MEZ_IMAGE_KERNEL_NAMES_H
#define MEZ_IMAGE_KERNEL_NAMES_H

#include "ze/call.h"

// Kernels that a module must have in the end.
typedef struct mez_wanted_kernels {
    const char **names;
    uint32_t count;
} mez_wanted_kernels;

// The names, as the driver knows them; they live as long as the module, the list is the caller's. Names that the driver makes up are
// not among them. What zeModuleGetKernelNames says; MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_kernel_names_list(ze_module_handle_t module, const char ***names, uint32_t *count);

// Compilers have left out kernels and called that success (docs/internals/compilers.md#failures-that-look-like-success).
// MEZ_ERRC_KERNEL: the module has not all that are wanted (NULL: none are), the story names what is missing; errors as above.
mez_error mez_kernel_names_check(ze_module_handle_t module, const mez_wanted_kernels *wanted);

#endif
