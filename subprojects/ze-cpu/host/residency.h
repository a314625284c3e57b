// SPDX-License-Identifier: MIT
//
// What of all memory a kernel reaches on a GPU: what its pointer arguments point into, the texels of its images, what
// zeKernelSetIndirectAccess allows, what zeContextMakeMemoryResident named, and its module's own variables. A driver for
// the processor has no need to ask; with ZE_CPU_STRICT a kernel that touches anything else is left as one with a finding is
// (memory_check.h).
#ifndef ZE_CPU_RESIDENCY_H
#define ZE_CPU_RESIDENCY_H

#include "memory.h"

#include <engine.h>

// Of one launch. The arguments are its own copy.
struct zc_residency {
    const void *module; // whose variables are reached; owner of their allocations
    const struct zc_kernel *kernel;
    const char *blob;
    ze_kernel_indirect_access_flags_t indirect;
};

// Where the argument points, an image to its texels. False: it doesn't.
bool zc_argument_get_address(
    const struct zc_argument *argument, const char *blob, const char **address);

bool zc_is_resident(const struct zc_residency *residency, const struct zc_allocation *allocation);

#endif
