// SPDX-License-Identifier: MIT
//
// Takes address spaces out of debug expressions.

#include "debug_words.h"

#include <stdlib.h>
#include <string.h>

// SPIR-V's universal limit; ids beyond it are left alone.
#define MAX_BOUND 0x400000u

enum { OP_EXT_INST_IMPORT = 11, OP_EXT_INST = 12, OP_CONSTANT = 43 };
// The same in all sets of debug instructions.
enum { DEBUG_OPERATION = 30, DEBUG_EXPRESSION = 31, OPERATION_XDEREF = 6 };
enum { FIRST_OPERAND = 5 }; // of an OpExtInst

// What an id is.
enum mark {
    LITERAL_SET = 1,      // a set whose operands are numbers
    NON_SEMANTIC_SET = 2, // one whose operands are the ids of constants
    XDEREF_NUMBER = 4,    // the constant that stands for xderef there
    XDEREF = 8,           // the operation
};

bool zc_debug_words_init(struct zc_debug_words *debug, uint32_t bound)
{
    debug->bound = bound < MAX_BOUND ? bound : MAX_BOUND;
    debug->marks = calloc((size_t)debug->bound + 1, sizeof(*debug->marks));
    return debug->marks != NULL;
}

void zc_debug_words_finish(struct zc_debug_words *debug)
{
    free(debug->marks);
}

static uint8_t mark_of(const struct zc_debug_words *debug, uint32_t id)
{
    return id < debug->bound ? debug->marks[id] : 0;
}

static void set_mark(struct zc_debug_words *debug, uint32_t id, uint8_t mark)
{
    if (id < debug->bound)
        debug->marks[id] = mark;
}

// Texts in SPIR-V are little-endian words.
static bool text_starts_with(const uint32_t *words, uint32_t count, const char *prefix)
{
    const size_t length = strlen(prefix);
    return length <= count * sizeof(*words) && memcmp(words, prefix, length) == 0;
}

static void note_import(struct zc_debug_words *debug, const uint32_t *import, uint32_t length)
{
    const uint32_t *name = import + 2;
    if (text_starts_with(name, length - 2, "OpenCL.DebugInfo.100") ||
        text_starts_with(name, length - 2, "SPIRV.debug"))
        set_mark(debug, import[1], LITERAL_SET);
    else if (text_starts_with(name, length - 2, "NonSemantic.Shader.DebugInfo."))
        set_mark(debug, import[1], NON_SEMANTIC_SET);
}

static bool is_xderef(const struct zc_debug_words *debug, uint8_t set, uint32_t operation)
{
    return set == LITERAL_SET ? operation == OPERATION_XDEREF
                              : mark_of(debug, operation) == XDEREF_NUMBER;
}

// Each xderef goes, with what puts the address space behind the address: a number and a swap.
static uint32_t drop_address_spaces(
    const struct zc_debug_words *debug, uint32_t *expression, uint32_t length)
{
    uint32_t kept = FIRST_OPERAND;
    for (uint32_t i = FIRST_OPERAND; i < length; i++) {
        if (mark_of(debug, expression[i]) == XDEREF && kept >= FIRST_OPERAND + 2)
            kept -= 2;
        else
            expression[kept++] = expression[i];
    }
    expression[0] = kept << 16 | OP_EXT_INST;
    return kept;
}

static uint32_t visit_extended(struct zc_debug_words *debug, uint32_t *instruction, uint32_t length)
{
    const uint8_t set = mark_of(debug, instruction[3]);
    if (set != LITERAL_SET && set != NON_SEMANTIC_SET)
        return length;
    if (instruction[4] == DEBUG_EXPRESSION)
        return drop_address_spaces(debug, instruction, length);
    if (instruction[4] == DEBUG_OPERATION && length > FIRST_OPERAND &&
        is_xderef(debug, set, instruction[FIRST_OPERAND]))
        set_mark(debug, instruction[2], XDEREF);
    return length;
}

uint32_t zc_debug_words_plain(struct zc_debug_words *debug, uint32_t *instruction)
{
    const uint32_t length = instruction[0] >> 16;
    switch (instruction[0] & 0xffff) {
    case OP_EXT_INST_IMPORT:
        if (length > 2)
            note_import(debug, instruction, length);
        break;
    case OP_CONSTANT:
        if (length == 4 && instruction[3] == OPERATION_XDEREF)
            set_mark(debug, instruction[2], XDEREF_NUMBER);
        break;
    case OP_EXT_INST:
        if (length >= FIRST_OPERAND)
            return visit_extended(debug, instruction, length);
        break;
    default:
        break;
    }
    return length;
}
