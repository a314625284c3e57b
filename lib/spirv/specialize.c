// SPDX-License-Identifier: MIT

#include "spirv/specialize.h"

#include <string.h>

static bool is_spec_constant(uint16_t opcode)
{
    return opcode == MEZ_OP_SpecConstant || opcode == MEZ_OP_SpecConstantTrue ||
           opcode == MEZ_OP_SpecConstantFalse;
}

// 0: it is not a number that could be given.
static uint32_t size_of(const struct mez_spirv_module *module, const struct mez_spirv_def *def,
    struct mez_spirv_instruction in)
{
    if (in.opcode != MEZ_OP_SpecConstant)
        return 1;
    const struct mez_spirv_type *type = mez_spirv_find_type(module, def->type);
    if (!type || (type->opcode != MEZ_OP_TypeInt && type->opcode != MEZ_OP_TypeFloat))
        return 0;
    const uint32_t words = type->width > 32 ? 2 : 1;
    return in.length == 3 + words ? (uint32_t)type->size : 0;
}

// Composites and results of operations follow from others, and have no number.
static bool read(const struct mez_spirv_module *module, const struct mez_spirv_def *def,
    struct mez_spirv_spec_constant *constant)
{
    const struct mez_spirv_instruction in = mez_spirv_instruction_at(module, def->word);
    if (!is_spec_constant(in.opcode) ||
        !mez_spirv_is_decorated(module, def->id, MEZ_DECORATION_SPEC_ID))
        return false;
    *constant = (struct mez_spirv_spec_constant){
        .number = mez_spirv_decoration_value(module, def->id, MEZ_DECORATION_SPEC_ID, 0),
        .id = def->id,
        .size = size_of(module, def, in),
        .name = def->name ? (const char *)(module->words + def->name) : NULL,
    };
    return constant->size > 0;
}

bool mez_spirv_next_spec_constant(
    const struct mez_spirv_module *module, uint32_t *at, struct mez_spirv_spec_constant *constant)
{
    while (*at < module->def_count)
        if (read(module, &module->defs[(*at)++], constant))
            return true;
    return false;
}

bool mez_spirv_find_spec_constant(const struct mez_spirv_module *module, uint32_t number,
    struct mez_spirv_spec_constant *constant)
{
    for (uint32_t at = 0; mez_spirv_next_spec_constant(module, &at, constant);)
        if (constant->number == number)
            return true;
    return false;
}

// Narrow numbers fill a word as the specification wants it (2.2.1, Literal): signed ones by their sign, others by zeros.
static uint32_t widen(
    const struct mez_spirv_module *module, const struct mez_spirv_type *type, uint32_t bits)
{
    const bool is_signed = type->opcode == MEZ_OP_TypeInt && module->words[type->word + 3] == 1;
    const bool negative = bits >> (type->width - 1) & 1;
    return is_signed && negative ? bits | ~0u << type->width : bits;
}

static void write_number(struct mez_spirv_module *module, const struct mez_spirv_def *def,
    uint32_t size, const void *value)
{
    uint32_t bits[2] = {0};
    memcpy(bits, value, size);
    if (size < sizeof bits[0])
        bits[0] = widen(module, mez_spirv_find_type(module, def->type), bits[0]);
    memcpy(
        module->words + def->word + 3, bits, size > sizeof bits[0] ? sizeof bits : sizeof bits[0]);
}

static void write(struct mez_spirv_module *module, uint32_t id, uint32_t size, const void *value)
{
    const struct mez_spirv_def *def = mez_spirv_find_def(module, id);
    const bool is_number =
        mez_spirv_instruction_at(module, def->word).opcode == MEZ_OP_SpecConstant;
    const bool is_true = *(const unsigned char *)value != 0;
    const uint32_t opcode = is_true ? MEZ_OP_SpecConstantTrue : MEZ_OP_SpecConstantFalse;
    uint32_t *first = &module->words[def->word];
    if (is_number)
        write_number(module, def, size, value);
    else
        *first = (*first & 0xffff0000u) | opcode;
}

void mez_spirv_specialize(struct mez_spirv_module *module, uint32_t number, const void *value)
{
    struct mez_spirv_spec_constant constant;
    for (uint32_t at = 0; mez_spirv_next_spec_constant(module, &at, &constant);)
        if (constant.number == number)
            write(module, constant.id, constant.size, value);
}

// --- Work-group sizes

static bool is_by_ids(struct mez_spirv_instruction in)
{
    return in.opcode == MEZ_OP_ExecutionModeId && in.length == MEZ_SPIRV_GROUP_SIZE_WORDS &&
           in.words[2] == MEZ_MODE_LOCAL_SIZE_ID;
}

static bool is_fixed(const struct mez_spirv_module *module, uint32_t id)
{
    const struct mez_spirv_def *def = mez_spirv_find_def(module, id);
    return def && mez_spirv_instruction_at(module, def->word).opcode == MEZ_OP_Constant;
}

// Both instructions have as many words. False: a size is not a constant, or more than the other one can hold.
static bool translate(const struct mez_spirv_module *module, struct mez_spirv_instruction in,
    uint32_t words[MEZ_SPIRV_GROUP_SIZE_WORDS])
{
    uint64_t sizes[3];
    for (uint32_t i = 0; i < 3; i++)
        if (!mez_spirv_constant(module, in.words[3 + i], &sizes[i]) || sizes[i] > UINT32_MAX)
            return false;
    words[0] = (uint32_t)MEZ_SPIRV_GROUP_SIZE_WORDS << 16 | MEZ_OP_ExecutionMode;
    words[1] = in.words[1];
    words[2] = MEZ_MODE_LOCAL_SIZE;
    for (uint32_t i = 0; i < 3; i++)
        words[3 + i] = (uint32_t)sizes[i];
    return true;
}

bool mez_spirv_literal_group_size(const struct mez_spirv_module *module,
    struct mez_spirv_instruction in, uint32_t words[MEZ_SPIRV_GROUP_SIZE_WORDS])
{
    if (!is_by_ids(in))
        return false;
    for (uint32_t i = 0; i < 3; i++)
        if (!is_fixed(module, in.words[3 + i]))
            return false;
    return translate(module, in, words);
}

void mez_spirv_write_group_sizes(struct mez_spirv_module *module)
{
    uint32_t words[MEZ_SPIRV_GROUP_SIZE_WORDS];
    mez_spirv_each_instruction(module, in, MEZ_SPIRV_HEADER_WORDS, module->word_count)
    {
        if (is_by_ids(in) && translate(module, in, words))
            memcpy(module->words + in.at, words, sizeof words);
    }
}
