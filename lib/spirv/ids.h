// SPDX-License-Identifier: MIT
//
// Finding the definition of an id. The table grows with the number of definitions, not with the
// bound that the module claims, so that a small file can't ask for much memory.

#ifndef MEZ_SPIRV_IDS_H
#define MEZ_SPIRV_IDS_H

#include "spirv/module.h"
#include "spirv/problem.h"

// Fills module->defs with each result id, the hash table over them, and module->globals. The instructions' lengths
// are checked already.
enum mez_spirv_status mez_spirv_collect_ids(
    struct mez_spirv_module *module, struct mez_spirv_problem *problem);

// The id that an instruction defines; 0: none, or we do not know.
uint32_t mez_spirv_result_of(struct mez_spirv_instruction in);

#endif
