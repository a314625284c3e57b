// SPDX-License-Identifier: MIT
//
// Sums with their carry, differences with their borrow, and products of twice the width: two numbers of one type in a struct.

#include "rewriting.h"

enum { S_MUL_HI = 160, U_MUL_HI = 203 }; // of OpenCL.std

struct operation {
    uint32_t type; // of the numbers
    uint32_t a, b;
};

// The highest bit of x, as a number: x times 2 exceeds the width by it.
static uint32_t highest_bit(struct zc_rewriting *r, uint32_t type, uint32_t x)
{
    const uint32_t one = zc_rewriting_one(r, type, x);
    const uint32_t two = ZC_VALUE(r, ZC_OP_I_ADD, type, one, one);
    return ZC_VALUE(r, ZC_OP_EXT_INST, type, r->opencl_std, U_MUL_HI, x, two);
}

// Something is carried out of a place where both have ones, or either has and the sum has none.
static uint32_t carry(struct zc_rewriting *r, struct operation o, uint32_t sum)
{
    const uint32_t both = ZC_VALUE(r, ZC_OP_BITWISE_AND, o.type, o.a, o.b);
    const uint32_t either = ZC_VALUE(r, ZC_OP_BITWISE_OR, o.type, o.a, o.b);
    const uint32_t none = ZC_VALUE(r, ZC_OP_NOT, o.type, sum);
    const uint32_t lost = ZC_VALUE(r, ZC_OP_BITWISE_AND, o.type, either, none);
    return highest_bit(r, o.type, ZC_VALUE(r, ZC_OP_BITWISE_OR, o.type, both, lost));
}

// a - b borrows where b + (a - b) carries.
static uint32_t borrow(struct zc_rewriting *r, struct operation o, uint32_t difference)
{
    return carry(r, (struct operation){o.type, o.b, difference}, o.a);
}

static void write_pair(struct zc_rewriting *r, struct zc_source source, uint32_t low, uint32_t high)
{
    const uint32_t type = source.words[1];
    const uint32_t none = r->bound++;
    ZC_WRITE(r, ZC_OP_UNDEF, type, none);
    const uint32_t half = ZC_VALUE(r, ZC_OP_COMPOSITE_INSERT, type, low, none, 0);
    ZC_WRITE(r, ZC_OP_COMPOSITE_INSERT, type, source.words[2], high, half, 1);
}

bool zc_rewrite_wide(struct zc_rewriting *r, struct zc_source source)
{
    const struct zc_source pair = zc_rewriting_find_as(r, source.words[1], ZC_OP_TYPE_STRUCT, 4);
    if (pair.length == 0)
        return false;
    const struct operation o = {pair.words[2], source.words[3], source.words[4]};
    uint32_t low, high;
    switch (source.words[0] & 0xffff) {
    case ZC_OP_I_ADD_CARRY:
        low = ZC_VALUE(r, ZC_OP_I_ADD, o.type, o.a, o.b);
        high = carry(r, o, low);
        break;
    case ZC_OP_I_SUB_BORROW:
        low = ZC_VALUE(r, ZC_OP_I_SUB, o.type, o.a, o.b);
        high = borrow(r, o, low);
        break;
    case ZC_OP_U_MUL_EXTENDED:
        low = ZC_VALUE(r, ZC_OP_I_MUL, o.type, o.a, o.b);
        high = ZC_VALUE(r, ZC_OP_EXT_INST, o.type, r->opencl_std, U_MUL_HI, o.a, o.b);
        break;
    default:
        low = ZC_VALUE(r, ZC_OP_I_MUL, o.type, o.a, o.b);
        high = ZC_VALUE(r, ZC_OP_EXT_INST, o.type, r->opencl_std, S_MUL_HI, o.a, o.b);
    }
    write_pair(r, source, low, high);
    return true;
}
