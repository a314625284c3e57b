// SPDX-License-Identifier: MIT
//
// What a kernel can reach: functions it calls, functions whose address it may call, and the
// variables and constants all of these use.
//
// A call through a function pointer reaches every function of that type whose address is taken in
// this module. Words of instructions we do not know count as uses where they name a function or a
// definition at module scope: rather too much than too little.
//
// Thread-safety: safe; a mez_spirv_follow belongs to one thread, and a mez_spirv_reach never changes after its
// creation.

#ifndef MEZ_SPIRV_REACH_H
#define MEZ_SPIRV_REACH_H

#include "spirv/module.h"

// --- Steps
//
// The one rule of what leads to what in a module: a step from a function, or from what stands at
// module scope, to all that it uses there.
//
// Nodes are numbers of definitions at module scope (`global` of struct mez_spirv_def). A type of
// functions leads to every function of that type whose address is taken, and a call through a pointer
// leads to the type it calls, so that thousands of such calls cost one look at the list. One more
// node, mez_spirv_any_callee, stands for every function whose address is taken: calls through a
// pointer whose type says nothing lead there.

struct mez_spirv_follow {
    const struct mez_spirv_module *module;
    struct mez_spirv_instruction in; // whose operands are looked at
    uint32_t end;                    // word behind the last instruction of the node
    struct mez_spirv_operand_iter operands;
    uint32_t callees; // node that the instruction calls through a pointer; MEZ_SPIRV_NO_INDEX: none
    uint32_t taken, taken_end; // in module->address_taken
};

// Nodes of a module are below this number.
static inline uint32_t mez_spirv_node_count(const struct mez_spirv_module *module)
{
    return module->global_count + 1;
}

static inline uint32_t mez_spirv_any_callee(const struct mez_spirv_module *module)
{
    return module->global_count;
}

uint32_t mez_spirv_function_node(
    const struct mez_spirv_module *module, const struct mez_spirv_function *function);

// NULL: the node is something else.
const struct mez_spirv_function *mez_spirv_node_function(
    const struct mez_spirv_module *module, uint32_t node);

struct mez_spirv_follow mez_spirv_follow(const struct mez_spirv_module *module, uint32_t node);

// The next node that is used, perhaps not for the first time; false: there is none. Operands of
// instructions we do not know count where they may be ids: rather too much than too little. The
// instruction that uses it is follow->in.
bool mez_spirv_follow_next(struct mez_spirv_follow *follow, uint32_t *used);

// The node of what an OpFunctionPointerCallINTEL calls.
uint32_t mez_spirv_called_through_pointer(
    const struct mez_spirv_module *module, struct mez_spirv_instruction call);

// --- All that is reached

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
