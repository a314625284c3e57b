// SPDX-License-Identifier: MIT
//
// Elements of vectors that lie in structs and arrays: the vector first, then the element. Vectors made of vectors: element by
// element. And copies between types that are made alike.

#include "rewriting.h"

#include <string.h>

#define MOST_INDICES 32
#define MOST_LEVELS 8
#define MOST_PARTS 1024 // that are copied, each by two instructions

// The type of a composite's part; 0: it has none there.
static uint32_t part_type(const struct zc_rewriting *r, uint32_t type, uint32_t index)
{
    const struct zc_source source = zc_rewriting_find(r, type);
    const uint32_t opcode = source.length > 2 ? source.words[0] & 0xffff : 0;
    if (opcode == ZC_OP_TYPE_STRUCT)
        return index < source.length - 2 ? source.words[2 + index] : 0;
    return opcode == ZC_OP_TYPE_ARRAY || opcode == ZC_OP_TYPE_VECTOR ? source.words[2] : 0;
}

// The type that all indices but the last lead to, if it is a vector's; else 0.
static uint32_t last_vector(
    const struct zc_rewriting *r, uint32_t type, const uint32_t *indices, uint32_t count)
{
    for (uint32_t i = 0; i + 1 < count; i++)
        type = part_type(r, type, indices[i]);
    return zc_rewriting_find_as(r, type, ZC_OP_TYPE_VECTOR, 4).length != 0 ? type : 0;
}

// The vector in the composite.
static uint32_t take_vector(struct zc_rewriting *r, uint32_t type, uint32_t composite,
    const uint32_t *indices, uint32_t count)
{
    uint32_t operands[1 + MOST_INDICES] = {composite};
    memcpy(operands + 1, indices, (count - 1) * sizeof(*indices));
    return zc_rewriting_value(r, ZC_OP_COMPOSITE_EXTRACT, type, operands, count);
}

static bool rewrite_extraction(struct zc_rewriting *r, struct zc_source source)
{
    const uint32_t composite = source.words[3], count = source.length - 4;
    const uint32_t *indices = source.words + 4;
    const uint32_t type = count <= MOST_INDICES
                              ? last_vector(r, zc_rewriting_type_of(r, composite), indices, count)
                              : 0;
    if (type == 0)
        return false;
    const uint32_t vector = take_vector(r, type, composite, indices, count);
    ZC_WRITE(
        r, ZC_OP_COMPOSITE_EXTRACT, source.words[1], source.words[2], vector, indices[count - 1]);
    return true;
}

static bool rewrite_insertion(struct zc_rewriting *r, struct zc_source source)
{
    const uint32_t object = source.words[3], composite = source.words[4], count = source.length - 5;
    const uint32_t *indices = source.words + 5;
    const uint32_t type =
        count <= MOST_INDICES ? last_vector(r, source.words[1], indices, count) : 0;
    if (type == 0)
        return false;
    const uint32_t vector = take_vector(r, type, composite, indices, count);
    const uint32_t changed =
        ZC_VALUE(r, ZC_OP_COMPOSITE_INSERT, type, object, vector, indices[count - 1]);
    uint32_t operands[4 + MOST_INDICES] = {source.words[1], source.words[2], changed, composite};
    memcpy(operands + 4, indices, (count - 1) * sizeof(*indices));
    zc_rewriting_write(r, ZC_OP_COMPOSITE_INSERT, operands, 3 + count);
    return true;
}

// ---- vectors made of vectors and numbers ----

// How many elements a part of the new vector has.
static uint32_t count_elements(const struct zc_rewriting *r, uint32_t part)
{
    const struct zc_source type =
        zc_rewriting_find_as(r, zc_rewriting_type_of(r, part), ZC_OP_TYPE_VECTOR, 4);
    return type.length != 0 ? type.words[3] : 1;
}

static uint32_t insert_part(
    struct zc_rewriting *r, struct zc_source type, uint32_t part, uint32_t vector, uint32_t index)
{
    const uint32_t count = count_elements(r, part), result = type.words[1];
    if (count == 1)
        return ZC_VALUE(r, ZC_OP_COMPOSITE_INSERT, result, part, vector, index);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t element = ZC_VALUE(r, ZC_OP_COMPOSITE_EXTRACT, type.words[2], part, i);
        vector = ZC_VALUE(r, ZC_OP_COMPOSITE_INSERT, result, element, vector, index + i);
    }
    return vector;
}

// Those of single elements were spelled out before (composites.c).
static bool rewrite_construction(struct zc_rewriting *r, struct zc_source source)
{
    const struct zc_source type = zc_rewriting_find_as(r, source.words[1], ZC_OP_TYPE_VECTOR, 4);
    uint32_t count = 0;
    for (uint32_t i = 3; i < source.length && count <= MOST_PARTS; i++) {
        const uint32_t more = count_elements(r, source.words[i]);
        count += more <= MOST_PARTS ? more : MOST_PARTS + 1;
    }
    if (type.length == 0 || count != type.words[3])
        return false;
    uint32_t vector = r->bound++;
    ZC_WRITE(r, ZC_OP_UNDEF, type.words[1], vector);
    for (uint32_t i = 3, index = 0; i < source.length; i++) {
        vector = insert_part(r, type, source.words[i], vector, index);
        index += count_elements(r, source.words[i]);
    }
    ZC_WRITE(r, ZC_OP_COPY_OBJECT, type.words[1], source.words[2], vector);
    return true;
}

// ---- copies between types that are made alike ----

// How many parts a struct or an array has; 0: it is none, or a large one.
static uint32_t count_parts(const struct zc_rewriting *r, uint32_t type)
{
    const struct zc_source as_struct = zc_rewriting_find_as(r, type, ZC_OP_TYPE_STRUCT, 3);
    if (as_struct.length != 0)
        return as_struct.length - 2;
    const struct zc_source as_array = zc_rewriting_find_as(r, type, ZC_OP_TYPE_ARRAY, 4);
    if (as_array.length == 0)
        return 0;
    const struct zc_source length = zc_rewriting_find_as(r, as_array.words[3], ZC_OP_CONSTANT, 4);
    return length.length != 0 && length.words[3] <= MOST_PARTS ? length.words[3] : 0;
}

// How many parts of parts have to be copied, up to a few more than MOST_PARTS; 0: they are not made alike.
static uint32_t count_copies(const struct zc_rewriting *r, uint32_t to, uint32_t from, int levels)
{
    if (to == from)
        return 1;
    const uint32_t count = count_parts(r, to);
    if (levels == 0 || count == 0 || count != count_parts(r, from))
        return 0;
    const bool is_array = zc_rewriting_find_as(r, to, ZC_OP_TYPE_ARRAY, 4).length != 0;
    uint32_t sum = 1;
    for (uint32_t i = 0; i < (is_array ? 1 : count) && sum <= MOST_PARTS; i++) {
        const uint32_t inside =
            count_copies(r, part_type(r, to, i), part_type(r, from, i), levels - 1);
        if (inside == 0 || inside > MOST_PARTS)
            return inside;
        sum += inside * (is_array ? count : 1);
    }
    return sum;
}

static uint32_t copy_parts(struct zc_rewriting *r, uint32_t to, uint32_t from, uint32_t value)
{
    if (to == from)
        return value;
    uint32_t result = r->bound++;
    ZC_WRITE(r, ZC_OP_UNDEF, to, result);
    const uint32_t count = count_parts(r, to);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t type = part_type(r, from, i);
        const uint32_t part = ZC_VALUE(r, ZC_OP_COMPOSITE_EXTRACT, type, value, i);
        const uint32_t copy = copy_parts(r, part_type(r, to, i), type, part);
        result = ZC_VALUE(r, ZC_OP_COMPOSITE_INSERT, to, copy, result, i);
    }
    return result;
}

static bool rewrite_copy(struct zc_rewriting *r, struct zc_source source)
{
    const uint32_t to = source.words[1], from = zc_rewriting_type_of(r, source.words[3]);
    const uint32_t count = from != 0 ? count_copies(r, to, from, MOST_LEVELS) : 0;
    if (count == 0 || count > MOST_PARTS)
        return false;
    const uint32_t copy = copy_parts(r, to, from, source.words[3]);
    ZC_WRITE(r, ZC_OP_COPY_OBJECT, to, source.words[2], copy);
    return true;
}

bool zc_rewrite_composite(struct zc_rewriting *r, struct zc_source source)
{
    switch (source.words[0] & 0xffff) {
    case ZC_OP_COMPOSITE_CONSTRUCT:
        return rewrite_construction(r, source);
    case ZC_OP_COMPOSITE_EXTRACT:
        return rewrite_extraction(r, source);
    case ZC_OP_COMPOSITE_INSERT:
        return rewrite_insertion(r, source);
    default:
        return rewrite_copy(r, source);
    }
}
