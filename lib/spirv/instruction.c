// SPDX-License-Identifier: MIT
//
// Walking instructions and their operands by the layouts of opcodes.def.

#include "spirv/module.h"

#include <stdio.h>
#include <string.h>

// Literal strings hold their first character in the low byte of their first word, so on a
// little-endian host they can be read where they stand.
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "strings are read in place");

struct mez_spirv_instruction mez_spirv_instruction_at(
    const struct mez_spirv_module *module, uint32_t at)
{
    if (at >= module->word_count)
        return (struct mez_spirv_instruction){.at = at};

    const uint32_t *words = module->words + at;
    return (struct mez_spirv_instruction){
        .words = words,
        .at = at,
        .opcode = (uint16_t)(words[0] & 0xFFFF),
        .length = (uint16_t)(words[0] >> 16),
    };
}

uint32_t mez_spirv_string_words(const uint32_t *words, uint32_t available)
{
    const char *text = (const char *)words;
    const char *end = memchr(text, '\0', (size_t)available * sizeof *words);
    return end ? (uint32_t)((size_t)(end - text) / sizeof *words) + 1 : 0;
}

const char *mez_spirv_opcode_name(uint16_t opcode, char room[MEZ_SPIRV_OPCODE_ROOM])
{
    const struct mez_spirv_opcode_info *info = mez_spirv_opcode_info(opcode);
    if (info)
        return info->name;
    snprintf(room, MEZ_SPIRV_OPCODE_ROOM, "opcode %u", (unsigned)opcode);
    return room;
}

// "M" (any number of words that may be ids) is no layout of opcodes.def: it stands for what we do
// not know.
struct mez_spirv_operand_iter mez_spirv_operands(
    const struct mez_spirv_module *module, struct mez_spirv_instruction instruction)
{
    const struct mez_spirv_opcode_info *info = mez_spirv_opcode_info(instruction.opcode);
    return (struct mez_spirv_operand_iter){
        .module = module,
        .instruction = instruction,
        .layout = info ? info->layout : "M",
        .next = 1,
    };
}

static const char *ext_inst_layout(
    const struct mez_spirv_module *module, uint32_t set, uint32_t number)
{
    switch (mez_spirv_ext_set(module, set)) {
    case MEZ_EXT_SET_OPENCL:
        return mez_spirv_opencl_layout(number);
    case MEZ_EXT_SET_DEBUG:
        return "L";
    default:
        return "M";
    }
}

// OpSpecConstantOp has an opcode and then that instruction's operands without its result.
static const char *spec_op_layout(uint32_t opcode)
{
    const struct mez_spirv_opcode_info *info =
        opcode <= UINT16_MAX ? mez_spirv_opcode_info((uint16_t)opcode) : NULL;
    return info && strncmp(info->layout, "tr", 2) == 0 && !strpbrk(info->layout, "EO")
               ? info->layout + 2
               : "M";
}

// The kind of operand that the layout announces next; moves on in the layout.
static enum mez_spirv_operand_kind next_kind(struct mez_spirv_operand_iter *iter, uint32_t value)
{
    if (*iter->layout == '?')
        iter->layout++;

    switch (*iter->layout) {
    case 'I': // stays: any number of them
        return MEZ_OPERAND_ID;
    case 'L':
        return MEZ_OPERAND_LITERAL;
    case 'E':
        iter->layout =
            ext_inst_layout(iter->module, iter->instruction.words[iter->next - 1], value);
        return MEZ_OPERAND_LITERAL;
    case 'O':
        iter->layout = spec_op_layout(value);
        return MEZ_OPERAND_LITERAL;
    case 't':
        iter->layout++;
        return MEZ_OPERAND_TYPE;
    case 'r':
        iter->layout++;
        return MEZ_OPERAND_RESULT;
    case 'i':
        iter->layout++;
        return MEZ_OPERAND_ID;
    case 'l':
        iter->layout++;
        return MEZ_OPERAND_LITERAL;
    case 's':
        iter->layout++;
        return MEZ_OPERAND_STRING;
    default: // 'M', and operands that a newer specification added behind those we know
        return MEZ_OPERAND_MAYBE_ID;
    }
}

bool mez_spirv_next_operand(struct mez_spirv_operand_iter *iter, struct mez_spirv_operand *operand)
{
    const struct mez_spirv_instruction *in = &iter->instruction;
    if (iter->next >= in->length)
        return false;

    const uint32_t value = in->words[iter->next];
    operand->kind = next_kind(iter, value);
    operand->value = value;
    operand->at = in->at + iter->next;

    const uint32_t left = in->length - iter->next;
    const uint32_t words = operand->kind == MEZ_OPERAND_STRING
                               ? mez_spirv_string_words(in->words + iter->next, left)
                               : 1;
    iter->next += words ? words : left; // an endless string, which check.c refuses, ends the walk
    return true;
}

// OpExtInstImport's name, compared without trusting that it ends.
static bool import_starts_with(struct mez_spirv_instruction import, const char *prefix)
{
    const size_t room = (size_t)(import.length - 2) * sizeof(uint32_t);
    return strlen(prefix) < room && memcmp(import.words + 2, prefix, strlen(prefix)) == 0;
}

enum mez_spirv_ext_set mez_spirv_ext_set(const struct mez_spirv_module *module, uint32_t id)
{
    const struct mez_spirv_def *def = mez_spirv_find_def(module, id);
    if (!def)
        return MEZ_EXT_SET_UNKNOWN;

    const struct mez_spirv_instruction import = mez_spirv_instruction_at(module, def->word);
    if (import.opcode != MEZ_OP_ExtInstImport)
        return MEZ_EXT_SET_UNKNOWN;
    if (import_starts_with(import, "OpenCL.std"))
        return MEZ_EXT_SET_OPENCL;
    if (import_starts_with(import, "OpenCL.DebugInfo.") ||
        import_starts_with(import, "SPIRV.debug") || import_starts_with(import, "DebugInfo") ||
        import_starts_with(import, "NonSemantic."))
        return MEZ_EXT_SET_DEBUG;
    return MEZ_EXT_SET_UNKNOWN;
}

bool mez_spirv_is_debug(
    const struct mez_spirv_module *module, struct mez_spirv_instruction instruction)
{
    switch (instruction.opcode) {
    case MEZ_OP_Nop:
    case MEZ_OP_Line:
    case MEZ_OP_NoLine:
        return true;
    case MEZ_OP_ExtInst:
        return mez_spirv_ext_set(module, instruction.words[3]) == MEZ_EXT_SET_DEBUG;
    default:
        return false;
    }
}
