// SPDX-License-Identifier: MIT
//
// Instructions and their operands, by the layouts of the grammar.

#include "spirv/module.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "spirv/opcodes.h"

// --- The table

static const struct mez_spirv_opcode_info infos[] = {
#define OP(number, name, layout, feature) {number, "Op" #name, layout},
#include "spirv/grammar.def"
};

// Where each stands in `infos`. Every instruction of a module is looked up many times.
enum {
#define OP(number, name, layout, feature) AT_##name,
#include "spirv/grammar.def"
};

// By number: one more than the place; 0: an instruction we do not know.
static const uint16_t places[] = {
#define OP(number, name, layout, feature) [number] = AT_##name + 1,
#include "spirv/grammar.def"
};

const struct mez_spirv_opcode_info *mez_spirv_opcode_info(uint16_t opcode)
{
    const bool known = opcode < sizeof places / sizeof places[0] && places[opcode];
    return known ? &infos[places[opcode] - 1] : NULL;
}

// The table has every number of the range, so each of these has a result id.
bool mez_spirv_is_type(uint16_t opcode)
{
    return (opcode >= MEZ_OP_TypeVoid && opcode <= MEZ_OP_TypePipe) ||
           opcode == MEZ_OP_TypePipeStorage || opcode == MEZ_OP_TypeNamedBarrier ||
           opcode == MEZ_OP_TypeBufferSurfaceINTEL || opcode == MEZ_OP_TypeJointMatrixINTEL ||
           opcode == MEZ_OP_TypeJointMatrixINTELv2 || opcode == MEZ_OP_TypeCooperativeMatrixKHR;
}

// The layout of an OpenCL.std instruction's operands, behind its number.
static const char *opencl_layout(uint32_t number)
{
    switch (number) {
    case 171: // vloadn
    case 174: // vload_halfn
    case 179: // vloada_halfn
        return "iil";
    case 176: // vstore_half_r
    case 178: // vstore_halfn_r
    case 181: // vstorea_halfn_r
        return "iiil";
    default:
        return "I";
    }
}

// --- Operands

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

// "M" (any number of words that may be ids) is not a layout of the grammar: it stands for what we do
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
        return opencl_layout(number);
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
    iter->next += words ? words : left; // an endless string, which reader.c refuses, ends the walk
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
