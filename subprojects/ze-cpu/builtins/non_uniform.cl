// SPDX-License-Identifier: MIT
//
// Operations of a sub-group in which those of its members take part that come to them together, its
// active members: reductions, scans, votes, ballots, shuffles. The engine says who they are (engine/run.c).

#include "exchange.h"

#define CLUSTERED_REDUCE 3 // as SPIR-V numbers it, beside REDUCE and the scans

uint BUILTIN __spirv_BuiltInSubgroupMaxSize(void);

// Members and a bit for each that is active.
struct active {
    struct members members;
    ulong bits;
};

static bool is_active(struct active active, uint member)
{
    return active.bits >> (member & 63) & 1;
}

// Of a work-group, whose members all come.
static struct active with_active(struct members members, int scope)
{
    const slots all = (slots)zc_get_context()->exchange;
    const ulong missing = members.size < 64 ? -1ul << members.size : 0;
    return (struct active){members, scope == ZC_SCOPE_SUBGROUP ? all[-1] & ~missing : -1ul};
}

static struct active BUILTIN gather(int scope, ulong value)
{
    const struct members members = members_of(scope);
    members.values[members.me] = value;
    zc_wait((scope == ZC_SCOPE_SUBGROUP ? ZC_WAITS_FOR_SUB_GROUP : ZC_WAITS_FOR_GROUP) |
            ZC_WAITS_FOR_ACTIVE);
    return with_active(members, scope);
}

// The members that an operation of the member combines: from the first to before the end.
static uint first_of(uint me, int operation, uint cluster)
{
    return operation == CLUSTERED_REDUCE ? me & ~(cluster - 1) : 0;
}

static uint end_of(struct members members, int operation, uint cluster)
{
    const uint end = first_of(members.me, operation, cluster) + cluster;
    switch (operation) {
    case INCLUSIVE_SCAN:
        return members.me + 1;
    case EXCLUSIVE_SCAN:
        return members.me;
    case CLUSTERED_REDUCE:
        return end < members.size ? end : members.size;
    default:
        return members.size;
    }
}

#define COMBINE(name, type, as_type, work, start, combine)                                     \
    type BUILTIN __spirv_GroupNonUniform##name(int scope, int operation, type x, uint cluster) \
    {                                                                                          \
        const struct active active = gather(scope, to_slot(x));                                \
        const uint end = end_of(active.members, operation, cluster);                           \
        work a = start;                                                                        \
        for (uint i = first_of(active.members.me, operation, cluster); i < end; i++) {         \
            const work b = (work)as_type(active.members.values[i]);                            \
            if (is_active(active, i))                                                          \
                a = combine;                                                                   \
        }                                                                                      \
        wait(scope);                                                                           \
        return (type)a;                                                                        \
    }                                                                                          \
    type BUILTIN __spirv_GroupNonUniform##name(int scope, int operation, type x)               \
    {                                                                                          \
        return __spirv_GroupNonUniform##name(scope, operation, x, 1);                          \
    }

#define INTEGERS(s, u, as, bits)              \
    SUMS_OF_INTEGERS(COMBINE, s, u, as, bits) \
    PRODUCTS_OF_INTEGERS(COMBINE, s, u, as)
#define FLOATS(type, as)              \
    SUMS_OF_FLOATS(COMBINE, type, as) \
    PRODUCTS_OF_FLOATS(COMBINE, type, as)

INTEGER_TYPES(INTEGERS)
FLOAT_TYPES(FLOATS)
LOGICAL(COMBINE)

// ---- votes ----

bool BUILTIN __spirv_GroupNonUniformElect(int scope)
{
    const struct active active = gather(scope, 0);
    return active.members.me == __builtin_ctzl(active.bits);
}

bool BUILTIN __spirv_GroupNonUniformAny(int scope, bool yes)
{
    return __spirv_GroupNonUniformLogicalOr(scope, REDUCE, yes);
}

bool BUILTIN __spirv_GroupNonUniformAll(int scope, bool yes)
{
    return __spirv_GroupNonUniformLogicalAnd(scope, REDUCE, yes);
}

#define EXCHANGES(type, as)                                                                   \
    bool BUILTIN __spirv_GroupNonUniformAllEqual(int scope, type x)                           \
    {                                                                                         \
        const struct active active = gather(scope, to_slot(x));                               \
        bool are_equal = true;                                                                \
        for (uint i = 0; i < active.members.size; i++) {                                      \
            const type other = as(active.members.values[i]);                                  \
            are_equal &= !is_active(active, i) || other == x;                                 \
        }                                                                                     \
        wait(scope);                                                                          \
        return are_equal;                                                                     \
    }                                                                                         \
    type BUILTIN __spirv_GroupNonUniformBroadcastFirst(int scope, type x)                     \
    {                                                                                         \
        const struct active active = gather(scope, to_slot(x));                               \
        const type first = as(active.members.values[__builtin_ctzl(active.bits)]);            \
        wait(scope);                                                                          \
        return first;                                                                         \
    }                                                                                         \
    type BUILTIN __spirv_GroupNonUniformBroadcast(int scope, type x, uint from)               \
    {                                                                                         \
        return as(read_from(scope, to_slot(x), from));                                        \
    }                                                                                         \
    type BUILTIN __spirv_GroupNonUniformShuffle(int scope, type x, uint from)                 \
    {                                                                                         \
        return as(read_from(scope, to_slot(x), from));                                        \
    }                                                                                         \
    type BUILTIN __spirv_GroupNonUniformShuffleXor(int scope, type x, uint mask)              \
    {                                                                                         \
        return as(read_from(scope, to_slot(x), members_of(scope).me ^ mask));                 \
    }                                                                                         \
    type BUILTIN __spirv_GroupNonUniformShuffleUp(int scope, type x, uint delta)              \
    {                                                                                         \
        return as(read_from(scope, to_slot(x), members_of(scope).me - delta));                \
    }                                                                                         \
    type BUILTIN __spirv_GroupNonUniformShuffleDown(int scope, type x, uint delta)            \
    {                                                                                         \
        return as(read_from(scope, to_slot(x), members_of(scope).me + delta));                \
    }                                                                                         \
    type BUILTIN __spirv_GroupNonUniformRotateKHR(int scope, type x, int delta, uint cluster) \
    {                                                                                         \
        const uint me = members_of(scope).me;                                                 \
        const uint from = (me & ~(cluster - 1)) | ((me + delta) & (cluster - 1));             \
        return as(read_from(scope, to_slot(x), from));                                        \
    }                                                                                         \
    type BUILTIN __spirv_GroupNonUniformRotateKHR(int scope, type x, int delta)               \
    {                                                                                         \
        return __spirv_GroupNonUniformRotateKHR(                                              \
            scope, x, delta, __spirv_BuiltInSubgroupMaxSize());                               \
    }

SCALAR_TYPES(EXCHANGES)
EXCHANGES(bool, AS_BOOL)

// ---- ballots: sets of members, 128 bits ----

typedef VECTOR(uint, 4) uint4;

static uint4 as_ballot(ulong bits)
{
    return (uint4)((uint)bits, (uint)(bits >> 32), 0, 0);
}

// Those of the sub-group's members.
static ulong bits_of(uint4 ballot)
{
    const uint size = __spirv_BuiltInSubgroupSize();
    const ulong bits = (ulong)ballot.y << 32 | ballot.x;
    return size < 64 ? bits & ~(-1ul << size) : bits;
}

uint4 BUILTIN __spirv_GroupNonUniformBallot(int scope, bool yes)
{
    const struct active active = gather(scope, yes);
    ulong bits = 0;
    for (uint i = 0; i < active.members.size; i++) {
        const bool vote = active.members.values[i] != 0;
        bits |= (ulong)(is_active(active, i) && vote) << (i & 63);
    }
    wait(scope);
    return as_ballot(bits);
}

bool BUILTIN __spirv_GroupNonUniformInverseBallot(int scope, uint4 ballot)
{
    return bits_of(ballot) >> __spirv_BuiltInSubgroupLocalInvocationId() & 1;
}

bool BUILTIN __spirv_GroupNonUniformBallotBitExtract(int scope, uint4 ballot, uint index)
{
    return ballot[index >> 5 & 3] >> (index & 31) & 1;
}

uint BUILTIN __spirv_GroupNonUniformBallotBitCount(int scope, int operation, uint4 ballot)
{
    const ulong below = (1ul << __spirv_BuiltInSubgroupLocalInvocationId()) - 1;
    const ulong bits = bits_of(ballot);
    return __builtin_popcountl(operation == REDUCE           ? bits
                               : operation == INCLUSIVE_SCAN ? bits & (below << 1 | 1)
                                                             : bits & below);
}

// Of no bits anything may come out.
uint BUILTIN __spirv_GroupNonUniformBallotFindLSB(int scope, uint4 ballot)
{
    const ulong bits = bits_of(ballot);
    return bits == 0 ? 0 : __builtin_ctzl(bits);
}

uint BUILTIN __spirv_GroupNonUniformBallotFindMSB(int scope, uint4 ballot)
{
    const ulong bits = bits_of(ballot);
    return bits == 0 ? 0 : 63 - __builtin_clzl(bits);
}

// Bits below the largest sub-group's size whose place is equal to mine, greater, less.
static ulong my_bit(void)
{
    return 1ul << __spirv_BuiltInSubgroupLocalInvocationId();
}

static ulong bits_from(ulong bit)
{
    const uint size = __spirv_BuiltInSubgroupMaxSize();
    return -bit & (size < 64 ? ~(-1ul << size) : -1ul);
}

#define MASK(name, bits)                                       \
    uint4 BUILTIN __spirv_BuiltInSubgroup##name##MaskKHR(void) \
    {                                                          \
        return as_ballot(bits);                                \
    }

MASK(Eq, my_bit())
MASK(Ge, bits_from(my_bit()))
MASK(Gt, bits_from(my_bit() << 1))
MASK(Le, (my_bit() << 1) - 1)
MASK(Lt, my_bit() - 1)
