// SPDX-License-Identifier: MIT
//
// What a kernel can reach: functions it calls, functions whose address it may call, and the
// variables and constants all of these use.
//
// A call through a function pointer reaches every function of that type whose address is taken in
// this module. Words of instructions we do not know count as uses where they name a function or a
// definition at module scope: rather too much than too little.
//
// Thread-safety: a mez_spirv_reach never changes after its creation; any thread may read it.

#ifndef MEZ_SPIRV_REACH_H
#define MEZ_SPIRV_REACH_H

#include "spirv/module.h"
#include "spirv/problem.h"

struct mez_spirv_reach {
    const struct mez_spirv_module *module; // borrowed: must outlive this
    uint32_t *order;     // indexes in module->defs of what is reached, roots first
    bool *reached;       // for each definition at module scope, by its `global`
    uint32_t count;      // of order
    bool calls_anything; // through a pointer whose type says nothing
};

// What is reached from the functions at `roots`, indexes in module->functions. The only failure is
// NO_MEMORY.
enum mez_spirv_status mez_spirv_reach_create(const struct mez_spirv_module *module,
    const uint32_t *roots, uint32_t root_count, struct mez_spirv_problem *problem,
    struct mez_spirv_reach **reach);

// Frees it and sets *reach to NULL; NULL inside is fine.
void mez_spirv_reach_destroy(struct mez_spirv_reach **reach);

// Whether the definition of this id is reached.
bool mez_spirv_reaches(const struct mez_spirv_reach *reach, uint32_t id);

#endif
