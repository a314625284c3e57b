// SPDX-License-Identifier: MIT
//
// Functions that llvm-spirv 15 leaves under their names in OpenCL C: packed dot products, bits and truth values of work-groups,
// bytes and shorts of sub-groups. Each work-item writes what it gets, one result after the other.

#define FUNCTION __attribute__((overloadable))

__kernel void dots(
    __global int *out, __global const uint *a, __global const uint *b, __global const int *c)
{
    const size_t i = get_global_id(0);
    __global int *mine = out + i * 8;
    mine[0] = dot_4x8packed_ss_int(a[i], b[i]);
    mine[1] = (int)dot_4x8packed_uu_uint(a[i], b[i]);
    mine[2] = dot_4x8packed_su_int(a[i], b[i]);
    mine[3] = dot_4x8packed_us_int(a[i], b[i]);
    mine[4] = dot_acc_sat_4x8packed_ss_int(a[i], b[i], c[i]);
    mine[5] = (int)dot_acc_sat_4x8packed_uu_uint(a[i], b[i], (uint)c[i]);
    mine[6] = dot_acc_sat_4x8packed_su_int(a[i], b[i], c[i]);
    mine[7] = dot_acc_sat_4x8packed_us_int(a[i], b[i], c[i]);
}

#define DECLARE_THREE(prefix, type, operation)                 \
    type FUNCTION prefix##_reduce_##operation(type x);         \
    type FUNCTION prefix##_scan_inclusive_##operation(type x); \
    type FUNCTION prefix##_scan_exclusive_##operation(type x);
#define THREE(prefix, at, operation, x)                    \
    mine[at] = prefix##_reduce_##operation(x);             \
    mine[at + 1] = prefix##_scan_inclusive_##operation(x); \
    mine[at + 2] = prefix##_scan_exclusive_##operation(x);

#define GROUP_BITS(type)                                                   \
    DECLARE_THREE(work_group, type, and)                                   \
    DECLARE_THREE(work_group, type, or)                                    \
    DECLARE_THREE(work_group, type, xor)                                   \
    __kernel void bits_##type(__global long *out, __global const long *in) \
    {                                                                      \
        const size_t i = get_global_id(0);                                 \
        const type x = (type)in[i];                                        \
        __global long *mine = out + i * 9;                                 \
        THREE(work_group, 0, and, x)                                       \
        THREE(work_group, 3, or, x)                                        \
        THREE(work_group, 6, xor, x)                                       \
    }
GROUP_BITS(int)
GROUP_BITS(uint)
GROUP_BITS(long)
GROUP_BITS(ulong)

DECLARE_THREE(work_group, int, logical_and)
DECLARE_THREE(work_group, int, logical_or)
DECLARE_THREE(work_group, int, logical_xor)
__kernel void logical(__global long *out, __global const long *in)
{
    const size_t i = get_global_id(0);
    const int x = (int)(in[i] & 6);
    __global long *mine = out + i * 9;
    THREE(work_group, 0, logical_and, x)
    THREE(work_group, 3, logical_or, x)
    THREE(work_group, 6, logical_xor, x)
}

#define NARROW(type)                                                         \
    DECLARE_THREE(intel_sub_group, type, add)                                \
    DECLARE_THREE(intel_sub_group, type, min)                                \
    DECLARE_THREE(intel_sub_group, type, max)                                \
    type FUNCTION intel_sub_group_broadcast(type x, uint member);            \
    __attribute__((intel_reqd_sub_group_size(8)))                            \
    __kernel void narrow_##type(__global long *out, __global const long *in) \
    {                                                                        \
        const size_t i = get_global_id(0);                                   \
        const type x = (type)in[i];                                          \
        __global long *mine = out + i * 10;                                  \
        THREE(intel_sub_group, 0, add, x)                                    \
        THREE(intel_sub_group, 3, min, x)                                    \
        THREE(intel_sub_group, 6, max, x)                                    \
        mine[9] = intel_sub_group_broadcast(x, 3);                           \
    }
NARROW(char)
NARROW(uchar)
NARROW(short)
NARROW(ushort)
