// SPDX-License-Identifier: MIT
//
// Kernels that talk to each other through memory of their module. In modules of their own each would see a copy.

#ifndef MEZ_SPIRV_SHARED_H
#define MEZ_SPIRV_SHARED_H

#include "spirv/pieces.h"

// Whether the id is memory of that kind: a program-scope variable in global memory that is not constant. Memory that belongs to the
// reporting of asserts is none: each module has its own.
bool mez_spirv_can_share(const struct mez_spirv_module *module, uint32_t id);

// Finds which of the functions with the ids `roots` share such a variable.
//
// For each root: groups[i] is the index of the first root of its group (its own where it shares with none before it), and
// variables[i] the id of a variable that it shares with another root; 0: none. Both arrays have room for root_count items.
//
// Takes time and memory in proportion to what the roots need, taken one by one. NOT_FOUND and MALFORMED as of
// mez_spirv_extract; else the only failure is NO_MEMORY.
//
// Thread-safety: safe.
enum mez_spirv_status mez_spirv_shared_variables(const struct mez_spirv_pieces *pieces,
    const uint32_t *roots, uint32_t root_count, struct mez_spirv_problem *problem, uint32_t *groups,
    uint32_t *variables);

#endif
