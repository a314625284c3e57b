// SPDX-License-Identifier: MIT
//
// The one rule of what leads to what in a module: a step from a function, or from what stands at
// module scope, to all that it uses there.
//
// Nodes are numbers of definitions at module scope (`global` of struct mez_spirv_def). A type of
// functions leads to every function of that type whose address is taken, and a call through a pointer
// leads to the type it calls, so that thousands of such calls cost one look at the list. One more
// node, mez_spirv_any_callee, stands for every function whose address is taken: calls through a
// pointer whose type says nothing lead there.
//
// Thread-safety: safe; a mez_spirv_follow belongs to one thread.

#ifndef MEZ_SPIRV_FOLLOW_H
#define MEZ_SPIRV_FOLLOW_H

#include "spirv/module.h"

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

#endif
