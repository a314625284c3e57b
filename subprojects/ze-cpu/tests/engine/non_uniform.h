// SPDX-License-Identifier: MIT
//
// Operations of sub-groups that not all their members come to: OpenCL's name, what it starts from, and how it
// combines two values.

#define INTEGER_OPERATIONS(F, type, least, most) \
    F(type, add, 0, (type)(a + b))               \
    F(type, mul, 1, (type)(a * b))               \
    F(type, min, most, (a < b ? a : b))          \
    F(type, max, least, (a > b ? a : b))         \
    F(type, and, -1, (type)(a & b))              \
    F(type, or, 0, (type)(a | b))                \
    F(type, xor, 0, (type)(a ^ b))

#define FLOAT_OPERATIONS(F, type)           \
    F(type, add, 0, a + b)                  \
    F(type, mul, 1, a *b)                   \
    F(type, min, INFINITY, (a < b ? a : b)) \
    F(type, max, -INFINITY, (a > b ? a : b))

#define LOGICAL_OPERATIONS(F)        \
    F(int, logical_and, 1, (a && b)) \
    F(int, logical_or, 0, (a || b))  \
    F(int, logical_xor, 0, (!a != !b))

#define OPERATIONS(F)                                 \
    INTEGER_OPERATIONS(F, char, SCHAR_MIN, SCHAR_MAX) \
    INTEGER_OPERATIONS(F, ulong, 0, ULONG_MAX)        \
    FLOAT_OPERATIONS(F, float)                        \
    LOGICAL_OPERATIONS(F)
