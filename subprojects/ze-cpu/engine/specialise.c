// SPDX-License-Identifier: MIT
//
// Specialization constants get their values in the SPIR-V itself: a constant is an instruction whose
// last words are the value, and what is computed from it (OpSpecConstantOp, OpSpecConstantComposite)
// names it.
//
// Everything of interest comes before the first function, where each instruction is found by
// looking at them all: constants are few.

#include "words.h"

#include <string.h>

enum opcode {
    OP_EXECUTION_MODE = 16,
    OP_TYPE_INT = 21,
    OP_TYPE_FLOAT = 22,
    OP_CONSTANT = 43,
    OP_SPEC_CONSTANT_TRUE = 48,
    OP_SPEC_CONSTANT_FALSE = 49,
    OP_SPEC_CONSTANT = 50,
    OP_SPEC_CONSTANT_OP = 52,
    OP_FUNCTION = 54,
    OP_DECORATE = 71,
    OP_EXECUTION_MODE_ID = 331,
};
enum { DECORATION_SPEC_ID = 1, MODE_LOCAL_SIZE = 17, MODE_LOCAL_SIZE_ID = 38 };

// Operations that a work-group size may be computed by.
enum operation {
    OP_I_ADD = 128,
    OP_I_SUB = 130,
    OP_I_MUL = 132,
    OP_U_DIV = 134,
    OP_U_MOD = 137,
    OP_SHIFT_RIGHT_LOGICAL = 194,
    OP_SHIFT_LEFT_LOGICAL = 196,
    OP_BITWISE_OR = 197,
    OP_BITWISE_XOR = 198,
    OP_BITWISE_AND = 199,
};

// So deep may such a computation be.
#define MAX_DEPTH 8

static uint32_t opcode_of(const uint32_t *instruction)
{
    return instruction[0] & 0xffff;
}

static uint32_t length_of(const uint32_t *instruction)
{
    return instruction[0] >> 16;
}

static uint32_t *first_instruction(const struct zc_words *words)
{
    return words->data + ZC_SPIRV_HEADER_WORDS;
}

// Is there an instruction here, before the functions?
static bool is_declaration(const struct zc_words *words, const uint32_t *instruction)
{
    return instruction < words->data + words->count && opcode_of(instruction) != OP_FUNCTION;
}

static bool is_type(const uint32_t *instruction)
{
    return (opcode_of(instruction) == OP_TYPE_INT && length_of(instruction) == 4) ||
           (opcode_of(instruction) == OP_TYPE_FLOAT && length_of(instruction) >= 3);
}

static bool is_constant(const uint32_t *instruction)
{
    const uint32_t opcode = opcode_of(instruction), length = length_of(instruction);
    return ((opcode == OP_SPEC_CONSTANT_TRUE || opcode == OP_SPEC_CONSTANT_FALSE) && length == 3) ||
           ((opcode == OP_CONSTANT || opcode == OP_SPEC_CONSTANT) && length >= 4) ||
           (opcode == OP_SPEC_CONSTANT_OP && length >= 4);
}

static uint32_t *find_type(const struct zc_words *words, uint32_t id)
{
    for (uint32_t *i = first_instruction(words); is_declaration(words, i); i += length_of(i)) {
        if (is_type(i) && i[1] == id)
            return i;
    }
    return NULL;
}

static uint32_t *find_constant(const struct zc_words *words, uint32_t id)
{
    for (uint32_t *i = first_instruction(words); is_declaration(words, i); i += length_of(i)) {
        if (is_constant(i) && i[2] == id)
            return i;
    }
    return NULL;
}

// Where several values are given for one id, the last counts.
static const void *find_value(const struct zc_constants *constants, uint32_t id)
{
    for (uint32_t i = constants->count; i-- > 0;) {
        if (constants->ids[i] == id)
            return constants->values[i];
    }
    return NULL;
}

// Numbers narrower than a word have their sign extended, or zeros above them.
static bool set_number(const struct zc_words *words, uint32_t *constant, const void *value)
{
    const uint32_t *type = find_type(words, constant[1]);
    const uint32_t width = type != NULL ? type[2] : 0;
    if (width != 8 && width != 16 && width != 32 && width != 64)
        return false;
    if (length_of(constant) != 3 + (width + 31) / 32)
        return false;
    uint64_t number = 0;
    memcpy(&number, value, width / 8);
    const bool is_signed = opcode_of(type) == OP_TYPE_INT && type[3] != 0;
    if (is_signed && width < 32 && number >> (width - 1) != 0)
        number |= UINT64_MAX << width;
    memcpy(constant + 3, &number, length_of(constant) == 4 ? 4 : 8);
    return true;
}

static void set_opcode(uint32_t *instruction, uint32_t opcode)
{
    instruction[0] = length_of(instruction) << 16 | opcode;
}

static bool set_constant(const struct zc_words *words, uint32_t *constant, const void *value)
{
    uint8_t flag;
    switch (opcode_of(constant)) {
    case OP_SPEC_CONSTANT_TRUE:
    case OP_SPEC_CONSTANT_FALSE:
        memcpy(&flag, value, sizeof(flag));
        set_opcode(constant, flag != 0 ? OP_SPEC_CONSTANT_TRUE : OP_SPEC_CONSTANT_FALSE);
        return true;
    case OP_SPEC_CONSTANT:
        return set_number(words, constant, value);
    default:
        return false;
    }
}

static bool specialise_constants(
    struct zc_log *log, const struct zc_words *words, const struct zc_constants *constants)
{
    for (uint32_t *i = first_instruction(words); is_declaration(words, i); i += length_of(i)) {
        if (opcode_of(i) != OP_DECORATE || length_of(i) != 4 || i[2] != DECORATION_SPEC_ID)
            continue;
        const void *value = find_value(constants, i[3]);
        uint32_t *constant = value != NULL ? find_constant(words, i[1]) : NULL;
        if (value != NULL && (constant == NULL || !set_constant(words, constant, value))) {
            zc_log_add(
                log, "error: the module has no specialization constant %u that can be set", i[3]);
            return false;
        }
    }
    return true;
}

static bool compute(uint32_t operation, uint32_t a, uint32_t b, uint32_t *result)
{
    switch (operation) {
    case OP_I_ADD:
        *result = a + b;
        return true;
    case OP_I_SUB:
        *result = a - b;
        return true;
    case OP_I_MUL:
        *result = a * b;
        return true;
    case OP_U_DIV:
        *result = b != 0 ? a / b : 0;
        return b != 0;
    case OP_U_MOD:
        *result = b != 0 ? a % b : 0;
        return b != 0;
    case OP_SHIFT_RIGHT_LOGICAL:
        *result = b < 32 ? a >> b : 0;
        return true;
    case OP_SHIFT_LEFT_LOGICAL:
        *result = b < 32 ? a << b : 0;
        return true;
    case OP_BITWISE_OR:
        *result = a | b;
        return true;
    case OP_BITWISE_XOR:
        *result = a ^ b;
        return true;
    case OP_BITWISE_AND:
        *result = a & b;
        return true;
    default:
        return false;
    }
}

// The value of a constant of 32 bits, unless it is computed in some way that nobody uses.
static bool evaluate(const struct zc_words *words, uint32_t id, int depth, uint32_t *result)
{
    const uint32_t *constant = depth < MAX_DEPTH ? find_constant(words, id) : NULL;
    if (constant == NULL)
        return false;
    const uint32_t opcode = opcode_of(constant), length = length_of(constant);
    if ((opcode == OP_CONSTANT || opcode == OP_SPEC_CONSTANT) && length == 4) {
        *result = constant[3];
        return true;
    }
    uint32_t a, b;
    return opcode == OP_SPEC_CONSTANT_OP && length == 6 &&
           evaluate(words, constant[4], depth + 1, &a) &&
           evaluate(words, constant[5], depth + 1, &b) && compute(constant[3], a, b, result);
}

static bool make_literal(const struct zc_words *words, uint32_t *mode)
{
    uint32_t size[3];
    for (int d = 0; d < 3; d++) {
        if (!evaluate(words, mode[3 + d], 0, &size[d]))
            return false;
    }
    set_opcode(mode, OP_EXECUTION_MODE);
    mode[2] = MODE_LOCAL_SIZE;
    memcpy(mode + 3, size, sizeof(size));
    return true;
}

static bool make_modes_literal(struct zc_log *log, const struct zc_words *words)
{
    for (uint32_t *i = first_instruction(words); is_declaration(words, i); i += length_of(i)) {
        if (opcode_of(i) != OP_EXECUTION_MODE_ID)
            continue;
        if (length_of(i) == 6 && i[2] == MODE_LOCAL_SIZE_ID && make_literal(words, i))
            continue;
        zc_log_add(log, "error: an entry point's execution mode cannot be computed");
        return false;
    }
    return true;
}

bool zc_specialise(struct zc_log *log, struct zc_words *words, const struct zc_constants *constants)
{
    return specialise_constants(log, words, constants) && make_modes_literal(log, words);
}
