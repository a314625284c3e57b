// SPDX-License-Identifier: MIT
//
// The code of a module by itself, for judging it: without what is said about it to debuggers and to the driver's optimiser.

#ifndef MEZ_SPIRV_STRIP_H
#define MEZ_SPIRV_STRIP_H

#include "spirv/module.h"
#include "spirv/problem.h"

// A copy of the module without the instructions of sets such as OpenCL.DebugInfo.100, and without OpLoopMerge and
// OpSelectionMerge, which are no more than hints where control flow need not be structured: in kernels. Everything else stays word
// for word, also OpLine, and the types and strings that these alone used. Whether anything else uses what goes is not looked at.
//
// *words has *count words in host byte order and is the caller's, to be given back to mez_free_memory. NO_MEMORY: it is NULL.
//
// Thread-safety: safe.
enum mez_spirv_status mez_spirv_strip(const struct mez_spirv_module *module,
    struct mez_spirv_problem *problem, uint32_t **words, uint32_t *count);

#endif
