// SPDX-License-Identifier: MIT
//
// Questions about floating-point values that LLVM has no instruction for.

#include "builtins.h"

#define RELATIONAL(type, integer, exponent, fraction)                                              \
    static integer BUILTIN exponent_of(type x)                                                     \
    {                                                                                              \
        return __builtin_astype(x, integer) >> fraction & exponent;                                \
    }                                                                                              \
    bool BUILTIN __spirv_IsNan(type x) { return x != x; }                                          \
    bool BUILTIN __spirv_IsFinite(type x) { return exponent_of(x) != exponent; }                   \
    bool BUILTIN __spirv_IsInf(type x) { return exponent_of(x) == exponent && x == x; }            \
    bool BUILTIN __spirv_IsNormal(type x)                                                          \
    {                                                                                              \
        return exponent_of(x) != exponent && exponent_of(x) != 0;                                  \
    }                                                                                              \
    bool BUILTIN __spirv_SignBitSet(type x)                                                        \
    {                                                                                              \
        return __builtin_astype(x, integer) >> (sizeof(type) * 8 - 1);                             \
    }                                                                                              \
    bool BUILTIN __spirv_LessOrGreater(type x, type y) { return x < y || x > y; }                  \
    bool BUILTIN __spirv_Ordered(type x, type y) { return x == x && y == y; }                      \
    bool BUILTIN __spirv_Unordered(type x, type y) { return x != x || y != y; }

RELATIONAL(half, ushort, 0x1f, 10)
RELATIONAL(float, uint, 0xff, 23)
RELATIONAL(double, ulong, 0x7ff, 52)
