// SPDX-License-Identifier: MIT
//
// Operations of a group or sub-group: reductions, scans, broadcasts, shuffles, votes.
//
// Each work-item shows its value in its slot of the exchange, waits for the others, and reads what
// it needs. A second wait keeps the slots until everybody has read.

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

static uint items_of_group(void)
{
    const __private struct zc_context *context = zc_get_context();
    return context->local_size[0] * context->local_size[1] * context->local_size[2];
}

static struct members members_of(int scope)
{
    slots all = (slots)zc_get_context()->exchange;
    const uint index = __spirv_BuiltInLocalInvocationIndex();
    if (scope != ZC_SCOPE_SUBGROUP)
        return (struct members){all, items_of_group(), index};
    const uint me = __spirv_BuiltInSubgroupLocalInvocationId();
    return (struct members){all + (index - me), __spirv_BuiltInSubgroupSize(), me};
}

static void wait(int scope)
{
    __spirv_ControlBarrier(scope, scope, 0);
}

static ulong BUILTIN to_slot(char x) { return x; }
static ulong BUILTIN to_slot(short x) { return x; }
static ulong BUILTIN to_slot(int x) { return x; }
static ulong BUILTIN to_slot(long x) { return x; }
static ulong BUILTIN to_slot(half x) { return __builtin_astype(x, ushort); }
static ulong BUILTIN to_slot(float x) { return __builtin_astype(x, uint); }
static ulong BUILTIN to_slot(double x) { return __builtin_astype(x, ulong); }

static struct members BUILTIN show(int scope, ulong value)
{
    struct members members = members_of(scope);
    members.values[members.me] = value;
    wait(scope);
    return members;
}

// combine(a, b) over the members before me, up to me, or all, as the operation wants.
#define COMBINE(name, type, as_type, work, start, combine)                                         \
    type BUILTIN __spirv_##name(int scope, int operation, type x)                                  \
    {                                                                                              \
        const struct members members = show(scope, to_slot(x));                                    \
        const uint end = operation == REDUCE           ? members.size                              \
                         : operation == INCLUSIVE_SCAN ? members.me + 1                            \
                                                       : members.me;                               \
        work a = start;                                                                            \
        for (uint i = 0; i < end; i++) {                                                           \
            const work b = (work)as_type(members.values[i]);                                       \
            a = combine;                                                                           \
        }                                                                                          \
        wait(scope);                                                                               \
        return (type)a;                                                                            \
    }

#define AS_CHAR(x) ((char)(x))
#define AS_SHORT(x) ((short)(x))
#define AS_INT(x) ((int)(x))
#define AS_LONG(x) ((long)(x))
#define AS_HALF(x) __builtin_astype((ushort)(x), half)
#define AS_FLOAT(x) __builtin_astype((uint)(x), float)
#define AS_DOUBLE(x) __builtin_astype((ulong)(x), double)

#define INTEGERS(s, u, as, bits)                                                                   \
    COMBINE(GroupIAdd, s, as, u, 0, a + b)                                                         \
    COMBINE(GroupSMin, s, as, s, (s)~(1ul << (bits - 1)), (a < b ? a : b))                         \
    COMBINE(GroupSMax, s, as, s, (s)(1ul << (bits - 1)), (a > b ? a : b))                          \
    COMBINE(GroupUMin, s, as, u, (u)-1, (a < b ? a : b))                                           \
    COMBINE(GroupUMax, s, as, u, 0, (a > b ? a : b))

INTEGERS(char, uchar, AS_CHAR, 8)
INTEGERS(short, ushort, AS_SHORT, 16)
INTEGERS(int, uint, AS_INT, 32)
INTEGERS(long, ulong, AS_LONG, 64)

#define FLOATS(type, as)                                                                           \
    COMBINE(GroupFAdd, type, as, type, 0, a + b)                                                   \
    COMBINE(GroupFMin, type, as, type, (type)__builtin_inf(), (b < a ? b : a))                     \
    COMBINE(GroupFMax, type, as, type, (type)-__builtin_inf(), (b > a ? b : a))

FLOATS(half, AS_HALF)
FLOATS(float, AS_FLOAT)
FLOATS(double, AS_DOUBLE)

static ulong read_from(int scope, ulong value, uint member)
{
    const struct members members = show(scope, value);
    const ulong result = members.values[member < members.size ? member : members.me];
    wait(scope);
    return result;
}

static uint index_in_group(ulong x, ulong y, ulong z)
{
    const __private struct zc_context *context = zc_get_context();
    return x + context->local_size[0] * (y + context->local_size[1] * z);
}

typedef VECTOR(ulong, 2) ulong2;
typedef VECTOR(ulong, 3) ulong3;

// Up and down take a window of two values for each member: current and next, or previous and
// current.
#define SHUFFLES(type, as)                                                                         \
    type BUILTIN __spirv_GroupBroadcast(int scope, type x, uint from)                              \
    {                                                                                              \
        return as(read_from(scope, to_slot(x), from));                                             \
    }                                                                                              \
    type BUILTIN __spirv_GroupBroadcast(int scope, type x, ulong from)                             \
    {                                                                                              \
        return as(read_from(scope, to_slot(x), from));                                             \
    }                                                                                              \
    type BUILTIN __spirv_GroupBroadcast(int scope, type x, ulong2 from)                            \
    {                                                                                              \
        return as(read_from(scope, to_slot(x), index_in_group(from.x, from.y, 0)));                \
    }                                                                                              \
    type BUILTIN __spirv_GroupBroadcast(int scope, type x, ulong3 from)                            \
    {                                                                                              \
        return as(read_from(scope, to_slot(x), index_in_group(from.x, from.y, from.z)));           \
    }                                                                                              \
    type BUILTIN __spirv_GroupNonUniformBroadcast(int scope, type x, uint from)                    \
    {                                                                                              \
        return as(read_from(scope, to_slot(x), from));                                             \
    }                                                                                              \
    type BUILTIN __spirv_GroupNonUniformShuffle(int scope, type x, uint from)                      \
    {                                                                                              \
        return as(read_from(scope, to_slot(x), from));                                             \
    }                                                                                              \
    type BUILTIN __spirv_GroupNonUniformShuffleXor(int scope, type x, uint mask)                   \
    {                                                                                              \
        return as(read_from(scope, to_slot(x), members_of(scope).me ^ mask));                      \
    }                                                                                              \
    type BUILTIN __spirv_GroupNonUniformShuffleUp(int scope, type x, uint delta)                   \
    {                                                                                              \
        return as(read_from(scope, to_slot(x), members_of(scope).me - delta));                     \
    }                                                                                              \
    type BUILTIN __spirv_GroupNonUniformShuffleDown(int scope, type x, uint delta)                 \
    {                                                                                              \
        return as(read_from(scope, to_slot(x), members_of(scope).me + delta));                     \
    }                                                                                              \
    type BUILTIN __spirv_SubgroupShuffleINTEL(type x, uint from)                                   \
    {                                                                                              \
        return as(read_from(ZC_SCOPE_SUBGROUP, to_slot(x), from));                                 \
    }                                                                                              \
    type BUILTIN __spirv_SubgroupShuffleXorINTEL(type x, uint mask)                                \
    {                                                                                              \
        return __spirv_GroupNonUniformShuffleXor(ZC_SCOPE_SUBGROUP, x, mask);                      \
    }                                                                                              \
    type BUILTIN __spirv_SubgroupShuffleDownINTEL(type current, type next, uint delta)             \
    {                                                                                              \
        const struct members members = members_of(ZC_SCOPE_SUBGROUP);                              \
        const uint from = members.me + delta;                                                      \
        const ulong near = read_from(ZC_SCOPE_SUBGROUP, to_slot(current), from);                   \
        const ulong far = read_from(ZC_SCOPE_SUBGROUP, to_slot(next), from - members.size);        \
        return as(from < members.size ? near : far);                                               \
    }                                                                                              \
    type BUILTIN __spirv_SubgroupShuffleUpINTEL(type previous, type current, uint delta)           \
    {                                                                                              \
        const struct members members = members_of(ZC_SCOPE_SUBGROUP);                              \
        const uint from = members.me - delta;                                                      \
        const ulong near = read_from(ZC_SCOPE_SUBGROUP, to_slot(current), from);                   \
        const ulong far = read_from(ZC_SCOPE_SUBGROUP, to_slot(previous), from + members.size);    \
        return as(members.me >= delta ? near : far);                                               \
    }

SHUFFLES(char, AS_CHAR)
SHUFFLES(short, AS_SHORT)
SHUFFLES(int, AS_INT)
SHUFFLES(long, AS_LONG)
SHUFFLES(half, AS_HALF)
SHUFFLES(float, AS_FLOAT)
SHUFFLES(double, AS_DOUBLE)

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
