// SPDX-License-Identifier: MIT
//
// Debug information of a module.
//
// Thread-safety: safe.

#ifndef MEZ_SPIRV_DEBUG_H
#define MEZ_SPIRV_DEBUG_H

#include "spirv/module.h"

// --- Operands
//
// Elsewhere in this folder debug instructions are ignored as words; whoever takes a module apart has to know which
// of these are ids.

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

// --- Lines
//
// From an instruction back to the line of source it was compiled from, where the module carries OpLine
// (clang -g).

struct mez_spirv_source_line {
    const char *file; // NULL: not known; lives as long as the module
    uint32_t line, column;
};

// The line of the instruction that begins at `word` of `function`.
struct mez_spirv_source_line mez_spirv_source_line(const struct mez_spirv_module *module,
    const struct mez_spirv_function *function, uint32_t word);

// The first line that a function has.
struct mez_spirv_source_line mez_spirv_first_line(
    const struct mez_spirv_module *module, const struct mez_spirv_function *function);

#endif
