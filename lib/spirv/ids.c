// SPDX-License-Identifier: MIT
//
// Where instructions name ids: the operands of the table, and what it does not see.

#include "spirv/reader.h"

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
