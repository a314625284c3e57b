// SPDX-License-Identifier: MIT
//
// Where instructions name ids: the operands of the table, and what it does not see.

#include "spirv/reader.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "spirv/debug.h"

static bool has_memory_operand(uint16_t opcode)
{
    return opcode == MEZ_OP_Load || opcode == MEZ_OP_Store || opcode == MEZ_OP_CopyMemory ||
           opcode == MEZ_OP_CopyMemorySized || opcode == MEZ_OP_CooperativeMatrixLoadKHR ||
           opcode == MEZ_OP_CooperativeMatrixStoreKHR;
}

// The two decorations whose operand is an id, whichever instruction carries them.
static bool decorates_with_id(struct mez_spirv_instruction in)
{
    return in.opcode == MEZ_OP_Decorate &&
           (in.words[2] == MEZ_DECORATION_ALIAS_SCOPE || in.words[2] == MEZ_DECORATION_NO_ALIAS);
}

#define FIRST_CASE 3 // word of an OpSwitch

// A case has a number as wide as the selector, and a label.
static uint32_t case_words(const struct mez_spirv_module *module, struct mez_spirv_instruction in)
{
    if (in.opcode != MEZ_OP_Switch)
        return 0;
    const struct mez_spirv_type *type = mez_spirv_value_type(module, in.words[1]);
    return type && type->width == 64 ? 3 : 2;
}

// The words of an OpExtInst before the operands that its set defines: type, result, set, number.
#define EXT_INST_HEAD 5

struct mez_spirv_id_iter mez_spirv_ids(
    const struct mez_spirv_module *module, struct mez_spirv_instruction in)
{
    const bool is_debug = mez_spirv_is_debug_ext_inst(module, in);
    return (struct mez_spirv_id_iter){
        .operands =
            is_debug ? mez_spirv_debug_operands(module, in) : mez_spirv_operands(module, in),
        .head = is_debug ? 1 : EXT_INST_HEAD,
        .case_words = case_words(module, in),
        .is_debug = is_debug,
        .has_memory_operand = has_memory_operand(in.opcode),
        .decorates_with_id = decorates_with_id(in),
    };
}

// Type, result and set of debug information: the iterator over its operands begins behind them.
static bool next_of_head(struct mez_spirv_id_iter *iter, struct mez_spirv_id *id)
{
    if (iter->head >= EXT_INST_HEAD - 1)
        return false;
    const struct mez_spirv_instruction *in = &iter->operands.instruction;
    *id = (struct mez_spirv_id){
        .kind = iter->head == 2 ? MEZ_ID_RESULT : MEZ_ID_USE,
        .value = in->words[iter->head],
        .at = in->at + iter->head,
    };
    iter->head++;
    return true;
}

// Bits of a memory operand's mask that a word follows for.
#define MEMORY_ALIGNED 0x2u // a number; for the others it is an id
#define MEMORY_WORDS (MEMORY_ALIGNED | 0x8u | 0x10u | 0x10000u | 0x20000u)

// Whether the next literal of a memory operand is an id. A copy may have two of these: the mask, then a word for each bit.
static bool is_id_of_memory(struct mez_spirv_id_iter *iter, uint32_t word)
{
    const uint32_t bit = iter->memory_mask & -iter->memory_mask;
    iter->memory_mask = bit ? iter->memory_mask & ~bit : word & MEMORY_WORDS;
    return bit && bit != MEMORY_ALIGNED;
}

static bool hides_id(struct mez_spirv_id_iter *iter, const struct mez_spirv_operand *operand)
{
    const uint32_t word = operand->at - iter->operands.instruction.at;
    if (iter->has_memory_operand)
        return is_id_of_memory(iter, operand->value);
    if (iter->case_words)
        return (word - FIRST_CASE) % iter->case_words == iter->case_words - 1;
    return iter->decorates_with_id && word > 2;
}

// False: it is not an id.
static bool classify(struct mez_spirv_id_iter *iter, const struct mez_spirv_operand *operand,
    enum mez_spirv_id_kind *kind)
{
    switch (operand->kind) {
    case MEZ_OPERAND_RESULT:
        *kind = MEZ_ID_RESULT;
        return true;
    case MEZ_OPERAND_TYPE:
    case MEZ_OPERAND_ID:
        *kind = iter->is_debug ? MEZ_ID_DEBUG_USE : MEZ_ID_USE;
        return true;
    case MEZ_OPERAND_MAYBE_ID:
        *kind = MEZ_ID_MAYBE;
        return true;
    case MEZ_OPERAND_LITERAL:
        *kind = MEZ_ID_HIDDEN_USE;
        return hides_id(iter, operand);
    default:
        return false;
    }
}

bool mez_spirv_next_id(struct mez_spirv_id_iter *iter, struct mez_spirv_id *id)
{
    if (next_of_head(iter, id))
        return true;
    struct mez_spirv_operand operand;
    while (mez_spirv_next_operand(&iter->operands, &operand)) {
        enum mez_spirv_id_kind kind;
        if (!classify(iter, &operand, &kind))
            continue;
        *id = (struct mez_spirv_id){.kind = kind, .value = operand.value, .at = operand.at};
        return true;
    }
    return false;
}

// --- Definitions
//
// The table of definitions: an array in file order and an open-addressing hash table over it.

// Where an instruction keeps its result id: 2 behind a result type, else 1; 0: it has none (or we
// do not know).
static uint32_t result_position(uint16_t opcode)
{
    const struct mez_spirv_opcode_info *info = mez_spirv_opcode_info(opcode);
    if (!info)
        return 0;
    if (info->layout[0] == 't')
        return 2;
    return info->layout[0] == 'r' ? 1 : 0;
}

uint32_t mez_spirv_result_of(struct mez_spirv_instruction in)
{
    const uint32_t position = result_position(in.opcode);
    return position ? in.words[position] : 0;
}

static uint32_t count_results(const struct mez_spirv_module *module)
{
    uint32_t count = 0;
    mez_spirv_each_instruction(module, in, MEZ_SPIRV_HEADER_WORDS, module->word_count) count +=
        result_position(in.opcode) != 0;
    return count;
}

// Producers hand out ids one after the other, so their low bits spread them evenly.
static uint32_t first_slot(const struct mez_spirv_module *module, uint32_t id)
{
    return id & (module->def_slot_count - 1);
}

// The slot that holds `id`, or the free one where it belongs. The table is at most half full, so
// the walk ends.
static uint32_t *find_slot(const struct mez_spirv_module *module, uint32_t id)
{
    uint32_t slot = first_slot(module, id);
    while (module->def_slots[slot] != MEZ_SPIRV_NO_INDEX &&
           module->defs[module->def_slots[slot]].id != id)
        slot = (slot + 1) & (module->def_slot_count - 1);
    return &module->def_slots[slot];
}

static bool make_table(struct mez_spirv_module *module, uint32_t count)
{
    uint32_t slots = 2;
    while (slots / 2 < count)
        slots *= 2;

    module->def_slot_count = slots;
    module->def_slots = mez_alloc_array(slots, sizeof *module->def_slots);
    module->defs = mez_alloc_array(count ? count : 1, sizeof *module->defs);
    if (!module->def_slots || !module->defs)
        return false;

    for (uint32_t i = 0; i < slots; i++)
        module->def_slots[i] = MEZ_SPIRV_NO_INDEX;
    return true;
}

static enum mez_spirv_status add_def(struct mez_spirv_module *module,
    struct mez_spirv_instruction in, uint32_t position, uint32_t function,
    struct mez_spirv_problem *problem)
{
    const uint32_t id = in.words[position];
    char room[MEZ_SPIRV_OPCODE_ROOM];
    const char *name = mez_spirv_opcode_name(in.opcode, room);

    if (id == 0 || id >= module->bound)
        return mez_spirv_fail(problem, MEZ_SPIRV_MALFORMED, in.at,
            "%s defines id %" PRIu32 ", outside the bound of %" PRIu32, name, id, module->bound);

    uint32_t *slot = find_slot(module, id);
    if (*slot != MEZ_SPIRV_NO_INDEX)
        return mez_spirv_fail(problem, MEZ_SPIRV_MALFORMED, in.at,
            "%s defines id %" PRIu32 ", which is defined at word %" PRIu32 " already", name, id,
            module->defs[*slot].word);

    const bool is_global = in.opcode == MEZ_OP_Function || function == MEZ_SPIRV_NO_INDEX;
    *slot = module->def_count;
    module->defs[module->def_count++] = (struct mez_spirv_def){
        .id = id,
        .word = in.at,
        .type = position == 2 ? in.words[1] : 0,
        .function = is_global ? MEZ_SPIRV_NO_INDEX : function,
        .global = is_global ? module->global_count++ : MEZ_SPIRV_NO_INDEX,
        .index = MEZ_SPIRV_NO_INDEX,
        .linkage = MEZ_LINKAGE_NONE,
    };
    return MEZ_SPIRV_OK;
}

static bool list_globals(struct mez_spirv_module *module)
{
    const uint32_t count = module->global_count;
    module->globals = mez_alloc_array(count ? count : 1, sizeof *module->globals);
    for (uint32_t i = 0; module->globals && i < module->def_count; i++) {
        if (module->defs[i].global != MEZ_SPIRV_NO_INDEX)
            module->globals[module->defs[i].global] = i;
    }
    return module->globals != NULL;
}

static enum mez_spirv_status no_memory(struct mez_spirv_problem *problem)
{
    return mez_spirv_fail(problem, MEZ_SPIRV_NO_MEMORY, 0, "no memory for the module's ids");
}

enum mez_spirv_status mez_spirv_collect_ids(
    struct mez_spirv_module *module, struct mez_spirv_problem *problem)
{
    if (!make_table(module, count_results(module)))
        return no_memory(problem);

    uint32_t functions = 0, function = MEZ_SPIRV_NO_INDEX;
    mez_spirv_each_instruction(module, in, MEZ_SPIRV_HEADER_WORDS, module->word_count)
    {
        if (in.opcode == MEZ_OP_Function)
            function = functions++;

        const uint32_t position = result_position(in.opcode);
        const enum mez_spirv_status status =
            position ? add_def(module, in, position, function, problem) : MEZ_SPIRV_OK;
        if (status)
            return status;

        if (in.opcode == MEZ_OP_FunctionEnd)
            function = MEZ_SPIRV_NO_INDEX;
    }
    return list_globals(module) ? MEZ_SPIRV_OK : no_memory(problem);
}

const struct mez_spirv_def *mez_spirv_find_def(const struct mez_spirv_module *module, uint32_t id)
{
    const uint32_t index = *find_slot(module, id);
    return index == MEZ_SPIRV_NO_INDEX ? NULL : &module->defs[index];
}
