// SPDX-License-Identifier: MIT
//
// Filling a module's lists from its instructions, once these are checked and the ids are known. One
// function per list.

#ifndef MEZ_SPIRV_CONTENTS_H
#define MEZ_SPIRV_CONTENTS_H

#include "spirv/module.h"
#include "spirv/problem.h"

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

#endif
