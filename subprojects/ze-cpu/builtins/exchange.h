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
