// SPDX-License-Identifier: MIT
//
// Operations that all members of a group or sub-group come to: reductions, scans, broadcasts,
// shuffles, votes. non_uniform.cl has those that some may miss.

#include "exchange.h"

// combine(a, b) over the members before me, up to me, or all, as the operation wants.
#define COMBINE(name, type, as_type, work, start, combine)              \
    type BUILTIN __spirv_Group##name(int scope, int operation, type x)  \
    {                                                                   \
        const struct members members = show(scope, to_slot(x));         \
        const uint end = operation == REDUCE           ? members.size   \
                         : operation == INCLUSIVE_SCAN ? members.me + 1 \
                                                       : members.me;    \
        work a = start;                                                 \
        for (uint i = 0; i < end; i++) {                                \
            const work b = (work)as_type(members.values[i]);            \
            a = combine;                                                \
        }                                                               \
        wait(scope);                                                    \
        return (type)a;                                                 \
    }

#define COMBINE_KHR(name, type, as_type, work, start, combine) \
    COMBINE(name##KHR, type, as_type, work, start, combine)

#define INTEGERS(s, u, as, bits)              \
    SUMS_OF_INTEGERS(COMBINE, s, u, as, bits) \
    PRODUCTS_OF_INTEGERS(COMBINE_KHR, s, u, as)
#define FLOATS(type, as)              \
    SUMS_OF_FLOATS(COMBINE, type, as) \
    PRODUCTS_OF_FLOATS(COMBINE_KHR, type, as)

INTEGER_TYPES(INTEGERS)
FLOAT_TYPES(FLOATS)
LOGICAL(COMBINE_KHR)

static uint index_in_group(ulong x, ulong y, ulong z)
{
    const __private struct zc_context *context = zc_get_context();
    return x + context->local_size[0] * (y + context->local_size[1] * z);
}

typedef VECTOR(uint, 2) uint2;
typedef VECTOR(uint, 3) uint3;
typedef VECTOR(ulong, 2) ulong2;
typedef VECTOR(ulong, 3) ulong3;

// Up and down take a window of two values for each member: current and next, or previous and
// current.
#define SHUFFLES(type, as)                                                                      \
    type BUILTIN __spirv_GroupBroadcast(int scope, type x, uint from)                           \
    {                                                                                           \
        return as(read_from(scope, to_slot(x), from));                                          \
    }                                                                                           \
    type BUILTIN __spirv_GroupBroadcast(int scope, type x, ulong from)                          \
    {                                                                                           \
        return as(read_from(scope, to_slot(x), from));                                          \
    }                                                                                           \
    type BUILTIN __spirv_GroupBroadcast(int scope, type x, uint2 from)                          \
    {                                                                                           \
        return as(read_from(scope, to_slot(x), index_in_group(from.x, from.y, 0)));             \
    }                                                                                           \
    type BUILTIN __spirv_GroupBroadcast(int scope, type x, uint3 from)                          \
    {                                                                                           \
        return as(read_from(scope, to_slot(x), index_in_group(from.x, from.y, from.z)));        \
    }                                                                                           \
    type BUILTIN __spirv_GroupBroadcast(int scope, type x, ulong2 from)                         \
    {                                                                                           \
        return as(read_from(scope, to_slot(x), index_in_group(from.x, from.y, 0)));             \
    }                                                                                           \
    type BUILTIN __spirv_GroupBroadcast(int scope, type x, ulong3 from)                         \
    {                                                                                           \
        return as(read_from(scope, to_slot(x), index_in_group(from.x, from.y, from.z)));        \
    }                                                                                           \
    type BUILTIN __spirv_SubgroupShuffleINTEL(type x, uint from)                                \
    {                                                                                           \
        return as(read_from(ZC_SCOPE_SUBGROUP, to_slot(x), from));                              \
    }                                                                                           \
    type BUILTIN __spirv_SubgroupShuffleXorINTEL(type x, uint mask)                             \
    {                                                                                           \
        return as(                                                                              \
            read_from(ZC_SCOPE_SUBGROUP, to_slot(x), members_of(ZC_SCOPE_SUBGROUP).me ^ mask)); \
    }                                                                                           \
    type BUILTIN __spirv_SubgroupShuffleDownINTEL(type current, type next, uint delta)          \
    {                                                                                           \
        const struct members members = members_of(ZC_SCOPE_SUBGROUP);                           \
        const uint from = members.me + delta;                                                   \
        const ulong near = read_from(ZC_SCOPE_SUBGROUP, to_slot(current), from);                \
        const ulong far = read_from(ZC_SCOPE_SUBGROUP, to_slot(next), from - members.size);     \
        return as(from < members.size ? near : far);                                            \
    }                                                                                           \
    type BUILTIN __spirv_SubgroupShuffleUpINTEL(type previous, type current, uint delta)        \
    {                                                                                           \
        const struct members members = members_of(ZC_SCOPE_SUBGROUP);                           \
        const uint from = members.me - delta;                                                   \
        const ulong near = read_from(ZC_SCOPE_SUBGROUP, to_slot(current), from);                \
        const ulong far = read_from(ZC_SCOPE_SUBGROUP, to_slot(previous), from + members.size); \
        return as(members.me >= delta ? near : far);                                            \
    }

SCALAR_TYPES(SHUFFLES)

// How many members say yes.
static uint votes(int scope, bool yes, uint *size)
{
    const struct members members = show(scope, yes);
    uint sum = 0;
    for (uint i = 0; i < members.size; i++)
        sum += members.values[i];
    wait(scope);
    *size = members.size;
    return sum;
}

bool BUILTIN __spirv_GroupAny(int scope, bool yes)
{
    uint size;
    return votes(scope, yes, &size) > 0;
}

bool BUILTIN __spirv_GroupAll(int scope, bool yes)
{
    uint size;
    return votes(scope, yes, &size) == size;
}

// ---- blocks: consecutive members have consecutive elements; vectors are as many such rows ----

uint BUILTIN __spirv_BuiltInSubgroupMaxSize(void);

#define BLOCK(type)                                                       \
    type BUILTIN __spirv_SubgroupBlockReadINTEL_R##type(const type *from) \
    {                                                                     \
        return from[__spirv_BuiltInSubgroupLocalInvocationId()];          \
    }                                                                     \
    void BUILTIN __spirv_SubgroupBlockWriteINTEL(type *to, type x)        \
    {                                                                     \
        to[__spirv_BuiltInSubgroupLocalInvocationId()] = x;               \
    }                                                                     \
    BLOCK_ROWS(type, 2)                                                   \
    BLOCK_ROWS(type, 4)                                                   \
    BLOCK_ROWS(type, 8)                                                   \
    BLOCK_ROWS(type, 16)

#define BLOCK_ROWS(type, size)                                                               \
    typedef VECTOR(type, size) type##_rows##size;                                            \
    type##_rows##size BUILTIN __spirv_SubgroupBlockReadINTEL_R##type##size(const type *from) \
    {                                                                                        \
        type##_rows##size x;                                                                 \
        from += __spirv_BuiltInSubgroupLocalInvocationId();                                  \
        for (int i = 0; i < size; i++)                                                       \
            x[i] = from[i * __spirv_BuiltInSubgroupMaxSize()];                               \
        return x;                                                                            \
    }                                                                                        \
    void BUILTIN __spirv_SubgroupBlockWriteINTEL(type *to, type##_rows##size x)              \
    {                                                                                        \
        to += __spirv_BuiltInSubgroupLocalInvocationId();                                    \
        for (int i = 0; i < size; i++)                                                       \
            to[i * __spirv_BuiltInSubgroupMaxSize()] = x[i];                                 \
    }

BLOCK(char)
BLOCK(short)
BLOCK(int)
BLOCK(long)

// What engine/async_copy.c makes of GroupAsyncCopy: one work-item copies, all meet when they wait
// for the event.
void BUILTIN __spirv_AsyncCopy(
    char *to, const char *from, ulong count, ulong to_stride, ulong from_stride, ulong size)
{
    if (__spirv_BuiltInLocalInvocationIndex() != 0)
        return;
    for (ulong i = 0; i < count; i++)
        __builtin_memcpy(to + i * to_stride * size, from + i * from_stride * size, size);
}

// The same where kernels are checked: whether all come to it is seen only if they wait.
void BUILTIN __spirv_AsyncCopyTogether(
    char *to, const char *from, ulong count, ulong to_stride, ulong from_stride, ulong size)
{
    zc_wait(ZC_WAITS_FOR_GROUP | ZC_WAIT_ORDERS_NOTHING);
    __spirv_AsyncCopy(to, from, count, to_stride, from_stride, size);
}

void BUILTIN __spirv_GroupWaitEvents(int scope, int count, char *events)
{
    wait(scope);
}
