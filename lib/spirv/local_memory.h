// SPDX-License-Identifier: MIT
//
// How much local memory code takes by variables of its own; what a launch gives by arguments comes on top.
//
// Thread-safety: safe.

#ifndef MEZ_SPIRV_LOCAL_MEMORY_H
#define MEZ_SPIRV_LOCAL_MEMORY_H

#include "spirv/module.h"
#include "spirv/problem.h"

// Bytes of all variables in local memory that the module has, without what alignment adds; those of unknown size count nothing. No
// kernel of it takes more. UINT64_MAX: more than can be counted.
uint64_t mez_spirv_all_local_memory(const struct mez_spirv_module *module);

// The same of those that a function (index in the module) reaches. The only failure is NO_MEMORY.
enum mez_spirv_status mez_spirv_local_memory(const struct mez_spirv_module *module,
    uint32_t function, struct mez_spirv_problem *problem, uint64_t *bytes);

#endif
