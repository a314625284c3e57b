// SPDX-License-Identifier: MIT
//
// Rules for single instructions: zeros of scalar types, decorations of members by groups, images of what is sampled, and rounding to half.

#include "rewriting.h"

#define MOST_ELEMENTS 16  // of a vector
#define MOST_WORDS 0xffff // of an instruction

static bool rewrite_null(struct zc_rewriting *r, struct zc_source source)
{
    const struct zc_source type = zc_rewriting_find(r, source.words[1]);
    const uint32_t opcode = type.length > 1 ? type.words[0] & 0xffff : 0;
    if (opcode == ZC_OP_TYPE_BOOL)
        ZC_WRITE(r, ZC_OP_CONSTANT_FALSE, source.words[1], source.words[2]);
    else if ((opcode != ZC_OP_TYPE_INT && opcode != ZC_OP_TYPE_FLOAT) || type.length < 3)
        return false;
    else if (type.words[2] > 32)
        ZC_WRITE(r, ZC_OP_CONSTANT, source.words[1], source.words[2], 0, 0);
    else
        ZC_WRITE(r, ZC_OP_CONSTANT, source.words[1], source.words[2], 0);
    return true;
}

// What decorates the group decorates the member.
static void decorate(struct zc_rewriting *r, uint32_t group, uint32_t type, uint32_t member)
{
    const struct zc_words *words = r->words;
    for (size_t at = ZC_SPIRV_HEADER_WORDS; at < words->count; at += words->data[at] >> 16) {
        const uint32_t *source = words->data + at, length = source[0] >> 16;
        const bool is_sane = length >= 3 && length < MOST_WORDS;
        if ((source[0] & 0xffff) != ZC_OP_DECORATE || !is_sane || source[1] != group)
            continue;
        const uint32_t first = ZC_OP_MEMBER_DECORATE | (length + 1) << 16;
        zc_rewriting_copy(r, (const uint32_t[]){first, type, member}, 3);
        zc_rewriting_copy(r, source + 2, length - 2);
    }
}

static bool rewrite_decoration(struct zc_rewriting *r, struct zc_source source)
{
    for (uint32_t i = 2; i + 1 < source.length; i += 2)
        decorate(r, source.words[1], source.words[i], source.words[i + 1]);
    return true;
}

// The image that is sampled.
static bool rewrite_image(struct zc_rewriting *r, struct zc_source source)
{
    const struct zc_source sampled =
        zc_rewriting_find_as(r, source.words[3], ZC_OP_SAMPLED_IMAGE, 5);
    if (sampled.length == 0)
        return false;
    ZC_WRITE(r, ZC_OP_COPY_OBJECT, source.words[1], source.words[2], sampled.words[3]);
    return true;
}

static uint32_t round_to_half(struct zc_rewriting *r, uint32_t type, uint32_t value)
{
    const uint32_t half = ZC_VALUE(r, ZC_OP_F_CONVERT, r->half, value);
    return ZC_VALUE(r, ZC_OP_F_CONVERT, type, half);
}

// Each element by itself: there need be no type of vectors of halfs.
static uint32_t round_elements(
    struct zc_rewriting *r, uint32_t type, struct zc_source vector, uint32_t value)
{
    uint32_t result = value;
    for (uint32_t i = 0; i < vector.words[3]; i++) {
        const uint32_t element = ZC_VALUE(r, ZC_OP_COMPOSITE_EXTRACT, vector.words[2], value, i);
        const uint32_t rounded = round_to_half(r, vector.words[2], element);
        result = ZC_VALUE(r, ZC_OP_COMPOSITE_INSERT, type, rounded, result, i);
    }
    return result;
}

static bool rewrite_rounding(struct zc_rewriting *r, struct zc_source source)
{
    const uint32_t type = source.words[1], value = source.words[3];
    const struct zc_source vector = zc_rewriting_find_as(r, type, ZC_OP_TYPE_VECTOR, 4);
    if (vector.length != 0 && vector.words[3] > MOST_ELEMENTS)
        return false;
    const uint32_t rounded =
        vector.length != 0 ? round_elements(r, type, vector, value) : round_to_half(r, type, value);
    ZC_WRITE(r, ZC_OP_COPY_OBJECT, type, source.words[2], rounded);
    return true;
}

bool zc_rewrite_plain(struct zc_rewriting *r, struct zc_source source)
{
    switch (source.words[0] & 0xffff) {
    case ZC_OP_CONSTANT_NULL:
        return rewrite_null(r, source);
    case ZC_OP_IMAGE:
        return rewrite_image(r, source);
    case ZC_OP_QUANTIZE_TO_F16:
        return rewrite_rounding(r, source);
    default:
        return rewrite_decoration(r, source);
    }
}
