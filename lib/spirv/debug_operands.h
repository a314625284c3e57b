// SPDX-License-Identifier: MIT
//
// What the operands of debug information mean. Elsewhere in this folder debug instructions are passed over as words; whoever
// takes a module apart has to know which of these are ids.
//
// Thread-safety: safe.

#ifndef MEZ_SPIRV_DEBUG_OPERANDS_H
#define MEZ_SPIRV_DEBUG_OPERANDS_H

#include "spirv/module.h"

// An OpExtInst of one of the sets that carry debug information.
bool mez_spirv_is_debug_ext_inst(
    const struct mez_spirv_module *module, struct mez_spirv_instruction in);

// The operands behind the instruction's number, as mez_spirv_operands gives them. In sets whose layout we do not know each
// word may be an id.
struct mez_spirv_operand_iter mez_spirv_debug_operands(
    const struct mez_spirv_module *module, struct mez_spirv_instruction in);

// Where in the instruction the id stands of the function (or variable) at module scope that it describes; 0: it describes
// none, or in a way that does not end with it. Such an instruction belongs to what it describes: nothing need refer to it.
uint32_t mez_spirv_debug_function(
    const struct mez_spirv_module *module, struct mez_spirv_instruction in);
uint32_t mez_spirv_debug_variable(
    const struct mez_spirv_module *module, struct mez_spirv_instruction in);

#define MEZ_SPIRV_DEBUG_INFO_NONE 0 // number of the instruction that stands for what is missing

#endif
