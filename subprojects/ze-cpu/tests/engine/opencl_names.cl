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

// Of other types than OpenCL C has; they have names of SPIR-V.
int FUNCTION __spirv_SDotKHR_Rint(short4 a, short4 b);
long FUNCTION __spirv_SDotKHR_Rlong(short2 a, short2 b);
ulong FUNCTION __spirv_UDotKHR_Rulong(uint a, uint b, int format);
short FUNCTION __spirv_SUDotAccSatKHR_Rshort(char2 a, uchar2 b, short c);
ushort FUNCTION __spirv_UDotAccSatKHR_Rushort(uchar2 a, uchar2 b, ushort c);

__kernel void other_dots(
    __global long *out, __global const uint *a, __global const uint *b, __global const int *c)
{
    const size_t i = get_global_id(0);
    __global long *mine = out + i * 5;
    const char4 bytes = as_char4(a[i]);
    const uchar4 more = as_uchar4(b[i]);
    mine[0] = __spirv_SDotKHR_Rint(convert_short4(bytes) * (short)90, convert_short4(more));
    mine[1] = __spirv_SDotKHR_Rlong(as_short2(a[i]), as_short2(b[i]));
    mine[2] = (long)__spirv_UDotKHR_Rulong(a[i], b[i], 0);
    mine[3] = __spirv_SUDotAccSatKHR_Rshort(bytes.xy / (char)2, more.xy, (short)c[i]);
    mine[4] = __spirv_UDotAccSatKHR_Rushort(as_uchar4(a[i]).xy / (uchar)2, more.xy, (ushort)c[i]);
}

// A kernel for each, with few operations: those with many take long to compile.
#define THREE(attribute, prefix, type, operation)                                           \
    type FUNCTION prefix##_reduce_##operation(type x);                                      \
    type FUNCTION prefix##_scan_inclusive_##operation(type x);                              \
    type FUNCTION prefix##_scan_exclusive_##operation(type x);                              \
    attribute __kernel void operation##_##type(__global long *out, __global const long *in) \
    {                                                                                       \
        const size_t i = get_global_id(0);                                                  \
        const type x = (type)in[i];                                                         \
        out[i * 3] = prefix##_reduce_##operation(x);                                        \
        out[i * 3 + 1] = prefix##_scan_inclusive_##operation(x);                            \
        out[i * 3 + 2] = prefix##_scan_exclusive_##operation(x);                            \
    }

#define BITS(type)                 \
    THREE(, work_group, type, and) \
    THREE(, work_group, type, or)  \
    THREE(, work_group, type, xor)
BITS(int)
BITS(uint)
BITS(long)
BITS(ulong)

THREE(, work_group, int, logical_and)
THREE(, work_group, int, logical_or)
THREE(, work_group, int, logical_xor)

#define EIGHT __attribute__((intel_reqd_sub_group_size(8)))
#define NARROW(type)                                                                      \
    THREE(EIGHT, intel_sub_group, type, add)                                              \
    THREE(EIGHT, intel_sub_group, type, min)                                              \
    THREE(EIGHT, intel_sub_group, type, max)                                              \
    type FUNCTION intel_sub_group_broadcast(type x, uint member);                         \
    EIGHT __kernel void broadcast_##type(__global long *out, __global const long *in)     \
    {                                                                                     \
        out[get_global_id(0)] = intel_sub_group_broadcast((type)in[get_global_id(0)], 3); \
    }
NARROW(char)
NARROW(uchar)
NARROW(short)
NARROW(ushort)
