// SPDX-License-Identifier: MIT
//
// Operations of sub-groups that not all their members come to.

#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#include "non_uniform.h"

// Members that `mask` leaves out don't come; then all come again.
#define OPERATION(type, name, start, combine)                                           \
    __kernel void type##_##name(__global type *out, __global const type *in, uint mask) \
    {                                                                                   \
        const size_t i = get_global_id(0);                                              \
        __global type *mine = out + i * 5;                                              \
        const type x = in[i];                                                           \
        if (mask >> get_sub_group_local_id() & 1) {                                     \
            mine[0] = sub_group_non_uniform_reduce_##name(x);                           \
            mine[1] = sub_group_non_uniform_scan_inclusive_##name(x);                   \
            mine[2] = sub_group_non_uniform_scan_exclusive_##name(x);                   \
            mine[3] = sub_group_clustered_reduce_##name(x, 4);                          \
        }                                                                               \
        mine[4] = sub_group_non_uniform_reduce_##name(x);                               \
    }
OPERATIONS(OPERATION)

__kernel void votes(__global uint *out, __global const int *in, uint mask)
{
    const size_t i = get_global_id(0);
    __global uint *mine = out + i * 16;
    const int x = in[i];
    if (mask >> get_sub_group_local_id() & 1) {
        const uint4 odd = sub_group_ballot(x & 1);
        mine[0] = sub_group_elect();
        mine[1] = sub_group_non_uniform_any(x > 80) != 0;
        mine[2] = sub_group_non_uniform_all(x > 3) != 0;
        mine[3] = sub_group_non_uniform_all_equal(x) != 0;
        mine[4] = sub_group_non_uniform_all_equal((float)(x / 1000)) != 0;
        mine[5] = (uint)sub_group_broadcast_first(x);
        mine[6] = odd.x;
        mine[7] = odd.y | odd.z | odd.w;
        mine[8] = sub_group_inverse_ballot(odd) != 0;
        mine[9] = sub_group_ballot_bit_extract(odd, 7) != 0;
        mine[10] = sub_group_ballot_bit_count(odd);
        mine[11] = sub_group_ballot_inclusive_scan(odd);
        mine[12] = sub_group_ballot_exclusive_scan(odd);
        mine[13] = sub_group_ballot_find_lsb(odd);
        mine[14] = sub_group_ballot_find_msb(odd);
    } else {
        mine[0] = sub_group_elect();
        mine[6] = sub_group_ballot(1).x;
    }
    mine[15] = sub_group_ballot(1).x;
}

// SPIR-V has it for truth values and vectors, OpenCL C does not.
bool __attribute__((overloadable)) __spirv_GroupNonUniformAllEqual(int scope, bool x);
bool __attribute__((overloadable)) __spirv_GroupNonUniformAllEqual(int scope, int2 x);

__kernel void equal_truth(__global uint *out, __global const int *in, uint mask)
{
    const size_t i = get_global_id(0);
    if (mask >> get_sub_group_local_id() & 1) {
        out[i * 3] = __spirv_GroupNonUniformAllEqual(3, in[i] > 11);
        out[i * 3 + 1] = __spirv_GroupNonUniformAllEqual(3, (int2)(in[i] > 11, 5));
        out[i * 3 + 2] = __spirv_GroupNonUniformAllEqual(3, (int2)(5, in[i] > 11));
    }
}

__kernel void masks(__global uint *out)
{
    __global uint *mine = out + get_global_id(0) * 5;
    mine[0] = get_sub_group_eq_mask().x;
    mine[1] = get_sub_group_ge_mask().x;
    mine[2] = get_sub_group_gt_mask().x;
    mine[3] = get_sub_group_le_mask().x;
    mine[4] = get_sub_group_lt_mask().x;
}

// Each leaves the loop when it has had its rounds: those that are left count themselves, and afterwards all do.
__kernel void rounds(__global uint *out, __global const int *in)
{
    const size_t i = get_global_id(0);
    const int own = in[i] % 7;
    uint sum = 0;
    for (int k = 0; k < own; k++) {
        if ((k ^ own) & 1)
            continue;
        sum += (uint)sub_group_non_uniform_reduce_add(1) << k * 4;
    }
    out[i * 2] = sum;
    out[i * 2 + 1] = sub_group_ballot(1).x;
}

// The same in a loop in another one: who has had the rounds of the inner one waits for the others behind it.
__kernel void rounds_of_rounds(__global uint *out, __global const int *in)
{
    const size_t i = get_global_id(0);
    const int own = in[i] % 3;
    uint seen = 0;
    for (int k = 0; k < 2; k++) {
        int left = own;
        do {
            seen = seen * 17 + (uint)sub_group_non_uniform_reduce_add(1);
        } while (left-- > 0);
    }
    out[i] = seen;
}

// Some have ended.
__kernel void early(__global uint *out, uint mask)
{
    const size_t i = get_global_id(0);
    out[i] = 77;
    if (!(mask >> get_sub_group_local_id() & 1))
        return;
    const uint first = sub_group_elect();
    const uint all = sub_group_non_uniform_all(1) != 0;
    out[i] = sub_group_ballot(1).x | first << 16 | all << 17;
}

#define EXCHANGE(type)                                                            \
    __kernel void exchange_##type(__global type *out, __global const type *in)    \
    {                                                                             \
        const size_t i = get_global_id(0);                                        \
        __global type *mine = out + i * 8;                                        \
        const type x = in[i];                                                     \
        mine[0] = sub_group_non_uniform_broadcast(x, 5);                          \
        mine[1] = sub_group_shuffle(x, get_sub_group_local_id() ^ 3);             \
        mine[2] = sub_group_shuffle_xor(x, 1);                                    \
        mine[3] = get_sub_group_local_id() < 2 ? x : (type)0;                     \
        const type up = sub_group_shuffle_up(x, 2);                               \
        mine[3] = get_sub_group_local_id() < 2 ? x : up;                          \
        const type down = sub_group_shuffle_down(x, 3);                           \
        mine[4] = get_sub_group_local_id() + 3 < get_sub_group_size() ? down : x; \
        mine[5] = sub_group_rotate(x, 5);                                         \
        mine[6] = sub_group_clustered_rotate(x, -1, 4);                           \
        mine[7] = sub_group_broadcast_first(x);                                   \
    }
EXCHANGE(char)
EXCHANGE(ushort)
EXCHANGE(int)
EXCHANGE(ulong)
EXCHANGE(float)
EXCHANGE(double)
