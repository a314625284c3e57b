// SPDX-License-Identifier: MIT
//
// Functions that llvm-spirv 15 does not turn into instructions although there are some: a module made with it imports them by
// their names in OpenCL C. The linker of resolve.c finds these here by the same names.

#include "exchange.h"

// ---- dot products of bytes that are packed into numbers ----

int BUILTIN __spirv_SDotKHR_Rint(uint a, uint b, int format);
uint BUILTIN __spirv_UDotKHR_Ruint(uint a, uint b, int format);
int BUILTIN __spirv_SUDotKHR_Rint(uint a, uint b, int format);
int BUILTIN __spirv_SDotAccSatKHR_Rint(uint a, uint b, int c, int format);
uint BUILTIN __spirv_UDotAccSatKHR_Ruint(uint a, uint b, uint c, int format);
int BUILTIN __spirv_SUDotAccSatKHR_Rint(uint a, uint b, int c, int format);

#define DOT(signs, type, name, first, second)                                   \
    type BUILTIN dot_4x8packed_##signs##_##type(uint a, uint b)                 \
    {                                                                           \
        return __spirv_##name##KHR_R##type(first, second, 0);                   \
    }                                                                           \
    type BUILTIN dot_acc_sat_4x8packed_##signs##_##type(uint a, uint b, type c) \
    {                                                                           \
        return __spirv_##name##AccSatKHR_R##type(first, second, c, 0);          \
    }

DOT(ss, int, SDot, a, b)
DOT(uu, uint, UDot, a, b)
DOT(su, int, SUDot, a, b)
DOT(us, int, SUDot, b, a)

// ---- reductions and scans of bits and truth values in a work-group ----

#define GROUP(function, name, type, work)                                             \
    work BUILTIN __spirv_Group##name##KHR(int scope, int kind, work x);               \
    type BUILTIN work_group_reduce_##function(type x)                                 \
    {                                                                                 \
        return __spirv_Group##name##KHR(ZC_SCOPE_WORKGROUP, REDUCE, (work)x);         \
    }                                                                                 \
    type BUILTIN work_group_scan_inclusive_##function(type x)                         \
    {                                                                                 \
        return __spirv_Group##name##KHR(ZC_SCOPE_WORKGROUP, INCLUSIVE_SCAN, (work)x); \
    }                                                                                 \
    type BUILTIN work_group_scan_exclusive_##function(type x)                         \
    {                                                                                 \
        return __spirv_Group##name##KHR(ZC_SCOPE_WORKGROUP, EXCLUSIVE_SCAN, (work)x); \
    }

#define GROUP_BITS(type, work)         \
    GROUP(and, BitwiseAnd, type, work) \
    GROUP(or, BitwiseOr, type, work)   \
    GROUP(xor, BitwiseXor, type, work)

GROUP_BITS(int, int)
GROUP_BITS(uint, int)
GROUP_BITS(long, long)
GROUP_BITS(ulong, long)
GROUP(logical_and, LogicalAnd, int, bool)
GROUP(logical_or, LogicalOr, int, bool)
GROUP(logical_xor, LogicalXor, int, bool)

// ---- cl_intel_subgroups_char and cl_intel_subgroups_short ----

#define SUB_GROUP(function, name, type, work)                                   \
    type BUILTIN intel_sub_group_reduce_##function(type x)                      \
    {                                                                           \
        return __spirv_Group##name(ZC_SCOPE_SUBGROUP, REDUCE, (work)x);         \
    }                                                                           \
    type BUILTIN intel_sub_group_scan_inclusive_##function(type x)              \
    {                                                                           \
        return __spirv_Group##name(ZC_SCOPE_SUBGROUP, INCLUSIVE_SCAN, (work)x); \
    }                                                                           \
    type BUILTIN intel_sub_group_scan_exclusive_##function(type x)              \
    {                                                                           \
        return __spirv_Group##name(ZC_SCOPE_SUBGROUP, EXCLUSIVE_SCAN, (work)x); \
    }

#define DECLARE(name, type) type BUILTIN __spirv_Group##name(int scope, int kind, type x);
#define NARROW(s, u)                                                  \
    DECLARE(IAdd, s)                                                  \
    DECLARE(SMin, s)                                                  \
    DECLARE(SMax, s)                                                  \
    DECLARE(UMin, s)                                                  \
    DECLARE(UMax, s)                                                  \
    s BUILTIN __spirv_GroupBroadcast(int scope, s x, uint from);      \
    s BUILTIN intel_sub_group_broadcast(s x, uint from)               \
    {                                                                 \
        return __spirv_GroupBroadcast(ZC_SCOPE_SUBGROUP, x, from);    \
    }                                                                 \
    u BUILTIN intel_sub_group_broadcast(u x, uint from)               \
    {                                                                 \
        return __spirv_GroupBroadcast(ZC_SCOPE_SUBGROUP, (s)x, from); \
    }                                                                 \
    SUB_GROUP(add, IAdd, s, s)                                        \
    SUB_GROUP(min, SMin, s, s)                                        \
    SUB_GROUP(max, SMax, s, s)                                        \
    SUB_GROUP(add, IAdd, u, s)                                        \
    SUB_GROUP(min, UMin, u, s)                                        \
    SUB_GROUP(max, UMax, u, s)

NARROW(char, uchar)
NARROW(short, ushort)
