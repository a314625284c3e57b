// SPDX-License-Identifier: MIT
//
// What llvm-spirv-15 can't translate, said with other instructions. Each rule reads one instruction of the module and writes
// others; ids that it needs besides are new.

#ifndef ZC_ENGINE_REWRITING_H
#define ZC_ENGINE_REWRITING_H

#include "words.h"

enum {
    ZC_OP_UNDEF = 1,
    ZC_OP_EXT_INST_IMPORT = 11,
    ZC_OP_EXT_INST = 12,
    ZC_OP_MEMORY_MODEL = 14,
    ZC_OP_TYPE_BOOL = 20,
    ZC_OP_TYPE_INT = 21,
    ZC_OP_TYPE_FLOAT = 22,
    ZC_OP_TYPE_VECTOR = 23,
    ZC_OP_TYPE_ARRAY = 28,
    ZC_OP_TYPE_STRUCT = 30,
    ZC_OP_TYPE_POINTER = 32,
    ZC_OP_CONSTANT_FALSE = 42,
    ZC_OP_CONSTANT = 43,
    ZC_OP_CONSTANT_NULL = 46,
    ZC_OP_FUNCTION = 54,
    ZC_OP_LOAD = 61,
    ZC_OP_STORE = 62,
    ZC_OP_COPY_MEMORY = 63,
    ZC_OP_IN_BOUNDS_PTR_ACCESS_CHAIN = 70,
    ZC_OP_DECORATE = 71,
    ZC_OP_MEMBER_DECORATE = 72,
    ZC_OP_GROUP_MEMBER_DECORATE = 75,
    ZC_OP_COMPOSITE_CONSTRUCT = 80,
    ZC_OP_COMPOSITE_EXTRACT = 81,
    ZC_OP_COMPOSITE_INSERT = 82,
    ZC_OP_COPY_OBJECT = 83,
    ZC_OP_SAMPLED_IMAGE = 86,
    ZC_OP_IMAGE = 100,
    ZC_OP_F_CONVERT = 115,
    ZC_OP_QUANTIZE_TO_F16 = 116,
    ZC_OP_CONVERT_PTR_TO_U = 117,
    ZC_OP_I_ADD = 128,
    ZC_OP_I_SUB = 130,
    ZC_OP_I_MUL = 132,
    ZC_OP_S_DIV = 135,
    ZC_OP_I_ADD_CARRY = 149,
    ZC_OP_I_SUB_BORROW = 150,
    ZC_OP_U_MUL_EXTENDED = 151,
    ZC_OP_S_MUL_EXTENDED = 152,
    ZC_OP_I_EQUAL = 170,
    ZC_OP_I_NOT_EQUAL = 171,
    ZC_OP_BITWISE_OR = 197,
    ZC_OP_BITWISE_AND = 199,
    ZC_OP_NOT = 200,
    ZC_OP_SIZE_OF = 321,
    ZC_OP_COPY_LOGICAL = 400,
    ZC_OP_PTR_EQUAL = 401,
    ZC_OP_PTR_NOT_EQUAL = 402,
    ZC_OP_PTR_DIFF = 403,
};

// An instruction of the module that is read.
struct zc_source {
    const uint32_t *words; // the first has length and opcode
    uint32_t length;
};

struct zc_rewriting {
    const struct zc_words *words; // what is read
    size_t *definitions;          // by id: where it is defined; 0: nowhere
    uint32_t read_bound;          // ids below it may be looked up
    uint32_t bound;               // the next new id
    uint32_t *data;               // what is written
    size_t count, capacity;
    bool is_out_of_memory, is_too_large;
    uint32_t opencl_std; // the set of OpenCL's functions; 0: none yet
    uint32_t half;       // the type; 0: none yet
};

// Writes an instruction.
void zc_rewriting_write(
    struct zc_rewriting *r, uint32_t opcode, const uint32_t *operands, size_t count);
#define ZC_WRITE(r, opcode, ...)                                   \
    zc_rewriting_write(r, opcode, (const uint32_t[]){__VA_ARGS__}, \
        sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

// Writes one that has a type and a result, and returns the result, a new id.
uint32_t zc_rewriting_value(
    struct zc_rewriting *r, uint32_t opcode, uint32_t type, const uint32_t *operands, size_t count);
#define ZC_VALUE(r, opcode, type, ...)                                   \
    zc_rewriting_value(r, opcode, type, (const uint32_t[]){__VA_ARGS__}, \
        sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

// Writes words as they are.
void zc_rewriting_copy(struct zc_rewriting *r, const uint32_t *words, size_t count);

// Where an id is defined; its length is 0 if it isn't.
struct zc_source zc_rewriting_find(const struct zc_rewriting *r, uint32_t id);
// The same, of one of this opcode and at least this length.
struct zc_source zc_rewriting_find_as(
    const struct zc_rewriting *r, uint32_t id, uint32_t opcode, uint32_t least);
// The type of a value; 0: it has none.
uint32_t zc_rewriting_type_of(const struct zc_rewriting *r, uint32_t id);
// 1, of a type of integers of which there is a value.
uint32_t zc_rewriting_one(struct zc_rewriting *r, uint32_t type, uint32_t value);

// The rules. False: nothing was written, and the instruction is left as it is.
bool zc_rewrite_wide(struct zc_rewriting *r, struct zc_source source);
bool zc_rewrite_pointer(struct zc_rewriting *r, struct zc_source source);
bool zc_rewrite_composite(struct zc_rewriting *r, struct zc_source source);
bool zc_rewrite_plain(struct zc_rewriting *r, struct zc_source source);

#endif
