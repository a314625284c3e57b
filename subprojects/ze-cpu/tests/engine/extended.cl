// SPDX-License-Identifier: MIT
//
// Generic pointers, and what came to OpenCL C by extensions: fields of bits, dot products of integers, blocks of sub-groups,
// atomics of floats, halfs.

#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

#define FUNCTION __attribute__((overloadable))

#define BIT_FIELDS(name, s, u, vector_s, vector_u)                                                 \
    __kernel void fields_##name(__global ulong *out, __global const uint *offsets,                 \
        __global const uint *counts, ulong base, ulong insert)                                     \
    {                                                                                              \
        const size_t i = get_global_id(0);                                                         \
        const uint offset = offsets[i], count = counts[i];                                         \
        __global ulong *mine = out + i * 5;                                                        \
        mine[0] = bitfield_insert((u)base, (u)insert, offset, count);                              \
        mine[1] = (ulong)bitfield_extract_signed((u)base, offset, count);                          \
        mine[2] = bitfield_extract_unsigned((u)base, offset, count);                               \
        mine[3] = bit_reverse((u)base);                                                            \
        const vector_u two = bitfield_insert(                                                      \
            (vector_u)((u)insert, (u)base), (vector_u)((u)base, (u)insert), offset, count);        \
        mine[4] = two.s0;                                                                          \
    }
BIT_FIELDS(char, char, uchar, char2, uchar2)
BIT_FIELDS(short, short, ushort, short2, ushort2)
BIT_FIELDS(int, int, uint, int2, uint2)
BIT_FIELDS(long, long, ulong, long2, ulong2)

// Of bytes that are packed into numbers; the format has but one value.
int FUNCTION __spirv_SDotKHR_Rint(int a, int b, int format);
uint FUNCTION __spirv_UDotKHR_Ruint(uint a, uint b, int format);
int FUNCTION __spirv_SUDotAccSatKHR_Rint(int a, uint b, int c, int format);

__kernel void dot_products(__global int *out, char4 a, char4 b, uchar4 c, uchar4 d, int most)
{
    out[0] = dot(a, b);
    out[1] = (int)dot(c, d);
    out[2] = dot(a, d);
    out[3] = dot(c, b);
    out[4] = dot_acc_sat(a, b, 1000);
    out[5] = dot_acc_sat(a, d, most);
    out[6] = (int)dot_acc_sat(c, d, 0xfffffff0u);
    out[7] = (int)dot_acc_sat(c, d, 1u);
    out[8] = __spirv_SDotKHR_Rint(as_int(a), as_int(b), 0);
    out[9] = (int)__spirv_UDotKHR_Ruint(as_uint(c), as_uint(d), 0);
    out[10] = __spirv_SUDotAccSatKHR_Rint(as_int(a), as_uint(d), 7, 0);
}

// Clang declares them where a header of Intel's is included.
#define DECLARE_BLOCKS(type, suffix)                                                               \
    type FUNCTION intel_sub_group_block_read##suffix(const __global type *from);                   \
    type##8 FUNCTION intel_sub_group_block_read##suffix##8(const __global type *from);             \
    void FUNCTION intel_sub_group_block_write##suffix(__global type *to, type x);                  \
    void FUNCTION intel_sub_group_block_write##suffix##2(__global type *to, type##2 x);            \
    void FUNCTION intel_sub_group_block_write##suffix##4(__global type *to, type##4 x);
DECLARE_BLOCKS(ushort, _us)
DECLARE_BLOCKS(uint, )

#define BLOCKS(name, type)                                                                         \
    __kernel void blocks_##name(__global type *out, __global const type *in)                       \
    {                                                                                              \
        const size_t first = get_group_id(0) * get_local_size(0) * 8 +                             \
                             get_sub_group_id() * get_max_sub_group_size() * 8;                    \
        const type##8 rows = READ_##name##8(in + first);                                           \
        WRITE_##name##4(out + first, rows.s7531);                                                  \
        WRITE_##name##2(out + first + 4 * get_max_sub_group_size(), rows.s64);                     \
        WRITE_##name(out + first + 6 * get_max_sub_group_size(), rows.s0);                         \
        WRITE_##name(out + first + 7 * get_max_sub_group_size(),                                   \
            READ_##name(in + first + 2 * get_max_sub_group_size()));                               \
    }
#define READ_us intel_sub_group_block_read_us
#define READ_us8 intel_sub_group_block_read_us8
#define WRITE_us intel_sub_group_block_write_us
#define WRITE_us2 intel_sub_group_block_write_us2
#define WRITE_us4 intel_sub_group_block_write_us4
#define READ_ui intel_sub_group_block_read
#define READ_ui8 intel_sub_group_block_read8
#define WRITE_ui intel_sub_group_block_write
#define WRITE_ui2 intel_sub_group_block_write2
#define WRITE_ui4 intel_sub_group_block_write4
BLOCKS(us, ushort)
BLOCKS(ui, uint)

__global int of_program = 5;

// What a pointer leads to: a bit for each of global, local and private memory, then the fence.
static int spaces_of(int *p)
{
    return (to_global(p) == (__global int *)p && to_global(p) != 0) |
           (to_local(p) == (__local int *)p && to_local(p) != 0) << 1 |
           (to_private(p) == (__private int *)p && to_private(p) != 0) << 2 |
           (get_fence(p) == CLK_GLOBAL_MEM_FENCE) << 3 | (get_fence(p) == CLK_LOCAL_MEM_FENCE) << 4;
}

__kernel void spaces(__global int *out, __local int *block)
{
    __local int own;
    int kept[4];
    const size_t i = get_global_id(0), id = get_local_id(0);
    int *all[5] = {out + i, block + id, &own, kept, &of_program};
    for (int k = 0; k < 4; k++)
        kept[k] = (int)i + k;
    block[id] = (int)i;
    if (id == 0)
        own = 3;
    out[i] = spaces_of(all[i % 5]);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_size(0) + i] = spaces_of(all[(i + 3) % 5]) + 100 * (kept[id & 3] + own);
}

// Without barriers.
__kernel void simple_spaces(__global int *out)
{
    int mine[3] = {1, 2, 3};
    const size_t i = get_global_id(0);
    int *p = i & 1 ? (int *)(out + i) : mine + i % 3;
    out[i] = spaces_of(p);
}

__kernel void float_atomics(volatile __global atomic_float *sums, volatile __global atomic_double *wide)
{
    const int i = (int)get_global_id(0);
    atomic_fetch_add_explicit(&sums[0], (float)i, memory_order_relaxed, memory_scope_device);
    atomic_fetch_min_explicit(&sums[1], (float)-i, memory_order_relaxed, memory_scope_device);
    atomic_fetch_max_explicit(&sums[2], (float)i, memory_order_relaxed, memory_scope_device);
    atomic_fetch_add_explicit(&wide[0], (double)i, memory_order_relaxed, memory_scope_device);
    atomic_fetch_min_explicit(&wide[1], (double)-i, memory_order_relaxed, memory_scope_device);
    atomic_fetch_max_explicit(&wide[2], (double)i, memory_order_relaxed, memory_scope_device);
}

// Halfs, in vectors of every size.
#define EXTREMES(size)                                                                             \
    __kernel void extremes##size(__global half *out, __global const half *in)                      \
    {                                                                                              \
        const half##size a = vload##size(0, in), b = vload##size(1, in), c = vload##size(2, in);   \
        vstore##size(fmax(a, b), 0, out);                                                          \
        vstore##size(fmin(a, b), 1, out);                                                          \
        vstore##size(max(a, b), 2, out);                                                           \
        vstore##size(min(a, b), 3, out);                                                           \
        vstore##size(clamp(c, fmin(a, b), fmax(a, b)), 4, out);                                    \
        vstore##size(fmax(a, (half)2), 5, out);                                                    \
    }
EXTREMES(2)
EXTREMES(3)
EXTREMES(4)
EXTREMES(8)
EXTREMES(16)

// LLVM may make vectors of these.
__kernel void many_extremes(__global half *out, __global const half *in)
{
    const size_t i = get_global_id(0);
    out[i] = fmax(in[i], in[i + 1]);
}

__kernel void half_parts(__global half *out, __global const half *in, ushort code)
{
    const size_t i = get_global_id(0);
    __global half *mine = out + i * 12;
    half whole;
    half4 wholes;
    int exponent;
    mine[0] = fract(in[i], &whole);
    mine[1] = whole;
    mine[2] = modf(in[i], &whole);
    mine[3] = whole;
    mine[4] = sincos(in[i], &whole);
    mine[5] = whole;
    mine[6] = modf((half4)(in[i]), &wholes).y;
    mine[7] = wholes.z;
    mine[8] = fract((half4)(in[i]), &wholes).w;
    mine[9] = frexp(in[i], &exponent);
    mine[10] = exponent;
    mine[11] = nan(code);
}
