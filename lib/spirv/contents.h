// SPDX-License-Identifier: MIT
//
// The steps of reading a module: checks of its form, then one function for each list that is filled from its
// instructions.

#ifndef MEZ_SPIRV_CONTENTS_H
#define MEZ_SPIRV_CONTENTS_H

#include "spirv/module.h"

// Capabilities, extensions, memory model, names, functions, entry points and their modes.
enum mez_spirv_status mez_spirv_collect_contents(
    struct mez_spirv_module *module, struct mez_spirv_problem *problem);

// The decorations, sorted by target. Needs no other list.
enum mez_spirv_status mez_spirv_collect_decorations(
    struct mez_spirv_module *module, struct mez_spirv_problem *problem);

// The types with size, alignment and what their values hold. Needs the decorations.
enum mez_spirv_status mez_spirv_collect_types(
    struct mez_spirv_module *module, struct mez_spirv_problem *problem);

// Linkage names of definitions, imports, exports, functions whose address is taken. Needs everything
// above.
enum mez_spirv_status mez_spirv_collect_symbols(
    struct mez_spirv_module *module, struct mez_spirv_problem *problem);

// Which variables of functions escape. Needs the functions.
void mez_spirv_collect_escapes(struct mez_spirv_module *module);

// For the functions above: an array for `count` items, at least one.
bool mez_spirv_make_list(void *list, uint32_t count, size_t size);

struct mez_spirv_def *mez_spirv_edit_def(struct mez_spirv_module *module, uint32_t id);

// Whether an instruction may speak of ids that nothing defines: a tool may have removed what they named.
bool mez_spirv_may_dangle(uint16_t opcode);

#endif
