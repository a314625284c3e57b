// SPDX-License-Identifier: MIT
//
// Comparisons and differences of pointers, sizes of what they point to, and copies.

#include "rewriting.h"

#include <string.h>

enum { MEMORY_ACCESS_ALIGNED = 2 };

// The bytes from the pointer's element to the next one, as a number of this type.
static uint32_t element_size(struct zc_rewriting *r, uint32_t type, uint32_t pointer)
{
    const uint32_t address = ZC_VALUE(r, ZC_OP_CONVERT_PTR_TO_U, type, pointer);
    const uint32_t one = zc_rewriting_one(r, type, address);
    const uint32_t next = ZC_VALUE(
        r, ZC_OP_IN_BOUNDS_PTR_ACCESS_CHAIN, zc_rewriting_type_of(r, pointer), pointer, one);
    const uint32_t next_address = ZC_VALUE(r, ZC_OP_CONVERT_PTR_TO_U, type, next);
    return ZC_VALUE(r, ZC_OP_I_SUB, type, next_address, address);
}

static bool rewrite_size(struct zc_rewriting *r, struct zc_source source)
{
    if (zc_rewriting_type_of(r, source.words[3]) == 0)
        return false;
    const uint32_t size = element_size(r, source.words[1], source.words[3]);
    ZC_WRITE(r, ZC_OP_COPY_OBJECT, source.words[1], source.words[2], size);
    return true;
}

static bool rewrite_difference(struct zc_rewriting *r, struct zc_source source)
{
    const uint32_t type = source.words[1], a = source.words[3], b = source.words[4];
    if (zc_rewriting_type_of(r, a) == 0)
        return false;
    const uint32_t size = element_size(r, type, a);
    const uint32_t end = ZC_VALUE(r, ZC_OP_CONVERT_PTR_TO_U, type, a);
    const uint32_t start = ZC_VALUE(r, ZC_OP_CONVERT_PTR_TO_U, type, b);
    const uint32_t bytes = ZC_VALUE(r, ZC_OP_I_SUB, type, end, start);
    ZC_WRITE(r, ZC_OP_S_DIV, type, source.words[2], bytes, size);
    return true;
}

// llvm-spirv takes pointers where it takes integers.
static bool rewrite_comparison(struct zc_rewriting *r, struct zc_source source, uint32_t opcode)
{
    zc_rewriting_write(r, opcode, source.words + 1, source.length - 1);
    return true;
}

// Memory operands: a mask and what its bits want. Where there are two, the second is the source's.
static uint32_t operands_length(const uint32_t *operands, uint32_t length)
{
    const uint32_t wanted = length > 0 && (operands[0] & MEMORY_ACCESS_ALIGNED) != 0 ? 2 : 1;
    return wanted < length ? wanted : length;
}

static bool rewrite_copy(struct zc_rewriting *r, struct zc_source source)
{
    const uint32_t to = source.words[1], from = source.words[2];
    const struct zc_source type =
        zc_rewriting_find_as(r, zc_rewriting_type_of(r, from), ZC_OP_TYPE_POINTER, 4);
    if (type.length == 0)
        return false;
    const uint32_t length = source.length - 3, first = operands_length(source.words + 3, length);
    const uint32_t skipped = first < length ? first : 0;
    uint32_t load[3] = {from}, store[4] = {to};
    memcpy(load + 1, source.words + 3 + skipped,
        operands_length(source.words + 3 + skipped, length - skipped) * sizeof(*load));
    store[1] = zc_rewriting_value(r, ZC_OP_LOAD, type.words[3], load,
        1 + operands_length(source.words + 3 + skipped, length - skipped));
    memcpy(store + 2, source.words + 3, first * sizeof(*store));
    zc_rewriting_write(r, ZC_OP_STORE, store, 2 + first);
    return true;
}

bool zc_rewrite_pointer(struct zc_rewriting *r, struct zc_source source)
{
    switch (source.words[0] & 0xffff) {
    case ZC_OP_SIZE_OF:
        return rewrite_size(r, source);
    case ZC_OP_PTR_DIFF:
        return rewrite_difference(r, source);
    case ZC_OP_PTR_EQUAL:
        return rewrite_comparison(r, source, ZC_OP_I_EQUAL);
    case ZC_OP_PTR_NOT_EQUAL:
        return rewrite_comparison(r, source, ZC_OP_I_NOT_EQUAL);
    default:
        return rewrite_copy(r, source);
    }
}
