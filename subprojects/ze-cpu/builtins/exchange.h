// SPDX-License-Identifier: MIT
//
// How the members of a group or sub-group exchange values.
//
// Each work-item shows its value in its slot of the exchange, waits for the others, and reads what
// it needs. A second wait keeps the slots until everybody has read.

#ifndef ZC_BUILTINS_EXCHANGE_H
#define ZC_BUILTINS_EXCHANGE_H

#include "builtins.h"

enum { REDUCE, INCLUSIVE_SCAN, EXCLUSIVE_SCAN }; // as SPIR-V numbers them

void BUILTIN __spirv_ControlBarrier(int execution, int memory, int semantics);
size_t BUILTIN __spirv_BuiltInLocalInvocationIndex(void);
uint BUILTIN __spirv_BuiltInSubgroupLocalInvocationId(void);
uint BUILTIN __spirv_BuiltInSubgroupSize(void);

typedef __global ulong *slots;

// The members of the group that the calling work-item belongs to.
struct members {
    slots values; // of the first member
    uint size;
    uint me;
};

static inline uint items_of_group(void)
{
    const __private struct zc_context *context = zc_get_context();
    return context->local_size[0] * context->local_size[1] * context->local_size[2];
}

static inline struct members members_of(int scope)
{
    slots all = (slots)zc_get_context()->exchange;
    const uint index = __spirv_BuiltInLocalInvocationIndex();
    if (scope != ZC_SCOPE_SUBGROUP)
        return (struct members){all, items_of_group(), index};
    const uint me = __spirv_BuiltInSubgroupLocalInvocationId();
    return (struct members){all + (index - me), __spirv_BuiltInSubgroupSize(), me};
}

static inline void wait(int scope)
{
    __spirv_ControlBarrier(scope, scope, 0);
}

static inline ulong BUILTIN to_slot(bool x)
{
    return x;
}
static inline ulong BUILTIN to_slot(char x)
{
    return x;
}
static inline ulong BUILTIN to_slot(short x)
{
    return x;
}
static inline ulong BUILTIN to_slot(int x)
{
    return x;
}
static inline ulong BUILTIN to_slot(long x)
{
    return x;
}
static inline ulong BUILTIN to_slot(half x)
{
    return __builtin_astype(x, ushort);
}
static inline ulong BUILTIN to_slot(float x)
{
    return __builtin_astype(x, uint);
}
static inline ulong BUILTIN to_slot(double x)
{
    return __builtin_astype(x, ulong);
}

static inline struct members BUILTIN show(int scope, ulong value)
{
    struct members members = members_of(scope);
    members.values[members.me] = value;
    wait(scope);
    return members;
}

// What is combined over members: F(name, type, as_type, type of the work, what it starts with, expression of a and b). `s` and `u` are a
// type and its unsigned one. In SPIR-V those that all members come to are from 1.0 and from an extension.
#define SUMS_OF_INTEGERS(F, s, u, as, bits)                      \
    F(IAdd, s, as, u, 0, a + b)                                  \
    F(SMin, s, as, s, (s) ~(1ul << (bits - 1)), (a < b ? a : b)) \
    F(SMax, s, as, s, (s)(1ul << (bits - 1)), (a > b ? a : b))   \
    F(UMin, s, as, u, (u)-1, (a < b ? a : b))                    \
    F(UMax, s, as, u, 0, (a > b ? a : b))
#define PRODUCTS_OF_INTEGERS(F, s, u, as) \
    F(IMul, s, as, u, 1, a *b)            \
    F(BitwiseAnd, s, as, u, (u)-1, a &b)  \
    F(BitwiseOr, s, as, u, 0, a | b)      \
    F(BitwiseXor, s, as, u, 0, a ^ b)
#define SUMS_OF_FLOATS(F, type, as)                                 \
    F(FAdd, type, as, type, 0, a + b)                               \
    F(FMin, type, as, type, (type)__builtin_inf(), (b < a ? b : a)) \
    F(FMax, type, as, type, (type)-__builtin_inf(), (b > a ? b : a))
#define PRODUCTS_OF_FLOATS(F, type, as) F(FMul, type, as, type, 1, a *b)
#define LOGICAL(F)                                   \
    F(LogicalAnd, bool, AS_BOOL, bool, true, a &&b)  \
    F(LogicalOr, bool, AS_BOOL, bool, false, a || b) \
    F(LogicalXor, bool, AS_BOOL, bool, false, a != b)
#define INTEGER_TYPES(F)           \
    F(char, uchar, AS_CHAR, 8)     \
    F(short, ushort, AS_SHORT, 16) \
    F(int, uint, AS_INT, 32)       \
    F(long, ulong, AS_LONG, 64)
#define FLOAT_TYPES(F) \
    F(half, AS_HALF)   \
    F(float, AS_FLOAT) \
    F(double, AS_DOUBLE)

#define SCALAR_TYPES(F) \
    F(char, AS_CHAR)    \
    F(short, AS_SHORT)  \
    F(int, AS_INT)      \
    F(long, AS_LONG)    \
    FLOAT_TYPES(F)

#define AS_BOOL(x) ((x) != 0)
#define AS_CHAR(x) ((char)(x))
#define AS_SHORT(x) ((short)(x))
#define AS_INT(x) ((int)(x))
#define AS_LONG(x) ((long)(x))
#define AS_HALF(x) __builtin_astype((ushort)(x), half)
#define AS_FLOAT(x) __builtin_astype((uint)(x), float)
#define AS_DOUBLE(x) __builtin_astype((ulong)(x), double)

static inline ulong read_from(int scope, ulong value, uint member)
{
    const struct members members = show(scope, value);
    const ulong result = members.values[member < members.size ? member : members.me];
    wait(scope);
    return result;
}

#endif
