// SPDX-License-Identifier: MIT
//
// The rules of SPIR-V's binary form that the rest of this folder relies on. Whoever reads a module
// behind these checks may follow every offset, string and required operand without looking again.

#ifndef MEZ_SPIRV_CHECK_H
#define MEZ_SPIRV_CHECK_H

#include "spirv/module.h"
#include "spirv/problem.h"

// Lengths of instructions, required operands, strings, nesting of functions. Before ids are
// collected.
enum mez_spirv_status mez_spirv_check_shape(
    struct mez_spirv_module *module, struct mez_spirv_problem *problem);

// Every id that is used lies inside the bound and is defined. After ids are collected.
enum mez_spirv_status mez_spirv_check_uses(
    const struct mez_spirv_module *module, struct mez_spirv_problem *problem);

// Whether an instruction may speak of ids that nothing defines: a tool may have removed what they named.
bool mez_spirv_may_dangle(uint16_t opcode);

#endif
