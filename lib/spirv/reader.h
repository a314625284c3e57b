// SPDX-License-Identifier: MIT
//
// What reading a module shares: the steps, which check its form and then fill one list each from its instructions, and the ids that
// instructions name.

#ifndef MEZ_SPIRV_READER_H
#define MEZ_SPIRV_READER_H

#include "spirv/module.h"

// --- Steps

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

// --- Definitions
//
// The table grows with the number of definitions, not with the bound that the module claims, so that a
// small file can't ask for much memory.

// Fills module->defs with each result id, the hash table over them, and module->globals. The instructions' lengths
// are checked already.
enum mez_spirv_status mez_spirv_collect_ids(
    struct mez_spirv_module *module, struct mez_spirv_problem *problem);

// The id that an instruction defines; 0: none, or we do not know.
uint32_t mez_spirv_result_of(struct mez_spirv_instruction in);

// --- Uses of ids
//
// Every word of an instruction that is an id, also where the table of operands sees numbers: behind a memory operand, in
// some decorations, among the cases of OpSwitch, in debug information. For whoever takes modules apart or puts them together.

enum mez_spirv_id_kind {
    MEZ_ID_RESULT,
    MEZ_ID_USE,
    MEZ_ID_HIDDEN_USE, // among words that the reader takes for numbers: it may name nothing
    MEZ_ID_DEBUG_USE,  // as well, in debug information
    MEZ_ID_MAYBE,      // of an instruction or set that we do not know: id or number
};

struct mez_spirv_id {
    enum mez_spirv_id_kind kind;
    uint32_t value;
    uint32_t at; // word offset
};

struct mez_spirv_id_iter {
    struct mez_spirv_operand_iter operands;
    uint32_t head;        // debug information: words still to be given before its own operands
    uint32_t memory_mask; // of the memory operand that is being read
    uint32_t case_words;  // OpSwitch: words of a case, its label the last; else 0
    bool is_debug, has_memory_operand, decorates_with_id;
};

struct mez_spirv_id_iter mez_spirv_ids(
    const struct mez_spirv_module *module, struct mez_spirv_instruction in);

// False behind the last id.
bool mez_spirv_next_id(struct mez_spirv_id_iter *iter, struct mez_spirv_id *id);

#endif
