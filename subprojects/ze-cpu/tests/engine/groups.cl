// SPDX-License-Identifier: MIT
//
// Operations of groups and sub-groups.

#pragma OPENCL EXTENSION cl_khr_subgroups : enable

__kernel void sub_groups(__global int *out, __global const int *in)
{
    const size_t i = get_global_id(0);
    const int x = in[i];
    __global int *mine = out + i * 8;
    mine[0] = sub_group_reduce_add(x);
    mine[1] = sub_group_scan_inclusive_add(x);
    mine[2] = sub_group_scan_exclusive_max(x);
    mine[3] = sub_group_broadcast(x, 3);
    mine[4] = sub_group_any(x > 90) | sub_group_all(x > 3) << 1;
    mine[5] = (int)(get_sub_group_size() << 16 | get_sub_group_id() << 8 |
                    get_sub_group_local_id());
    mine[6] = (int)(get_num_sub_groups() << 8 | get_max_sub_group_size());
    mine[7] = 0;
    if (get_sub_group_id() & 1) // only some sub-groups, several times
        for (uint k = 0; k < get_sub_group_id(); k++)
            mine[7] += sub_group_reduce_min(x + (int)k);
    barrier(CLK_LOCAL_MEM_FENCE);
}

__kernel void work_groups(__global float *out, __global const int *in)
{
    const size_t i = get_global_id(0);
    out[i * 4] = work_group_reduce_add((float)in[i]);
    out[i * 4 + 1] = work_group_scan_exclusive_add(in[i]);
    out[i * 4 + 2] = work_group_broadcast(in[i], 5);
    out[i * 4 + 3] = work_group_any(in[i] == in[7]) + 2 * work_group_all(in[i] < 1000);
}

__kernel void async_copies(__global int *out, __global const int *in, __local int *block)
{
    const size_t first = get_group_id(0) * 32;
    event_t event = async_work_group_copy(block, in + first, 32, 0);
    wait_group_events(1, &event);
    block[get_local_id(0)] += 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    event = async_work_group_copy((__global int4 *)(out + first), (__local int4 *)block, 8, 0);
    wait_group_events(1, &event);
    event = async_work_group_strided_copy(block, in + first, 16, 2, 0);
    wait_group_events(1, &event);
    out[get_global_size(0) + first + get_local_id(0)] = block[get_local_id(0) % 16];
}

__kernel __attribute__((intel_reqd_sub_group_size(8))) void eight_wide(__global int *out)
{
    out[get_global_id(0)] = sub_group_reduce_add(1) * 100 + (int)get_max_sub_group_size();
}

// A group of one work-item may read what it has written without a barrier.
__kernel void alone(__global int *out, __global int *a, int n)
{
    __local int mine;
    a[0] = n;
    out[1] = 7;
    if (a[0] == n) {
        barrier(CLK_LOCAL_MEM_FENCE);
        mine = 3;
        a[1] = 0;
        out[0] = a[0] + mine;
    }
    for (int i = 0; i < 5; i++) {
        a[1] += a[0];
        out[2] = i;
        if (a[1] > 2 * n)
            a[0] = 1;
    }
}

// Of SPV_KHR_uniform_group_instructions, by SPIR-V's names: clang has no others. The operations are numbered: reduce, inclusive
// scan, exclusive scan.
#define FUNCTION __attribute__((overloadable))
enum { WORKGROUP = 2, SUBGROUP = 3 };
int FUNCTION __spirv_GroupIMulKHR(uint scope, uint operation, int x);
float FUNCTION __spirv_GroupFMulKHR(uint scope, uint operation, float x);
int FUNCTION __spirv_GroupBitwiseAndKHR(uint scope, uint operation, int x);
int FUNCTION __spirv_GroupBitwiseOrKHR(uint scope, uint operation, int x);
int FUNCTION __spirv_GroupBitwiseXorKHR(uint scope, uint operation, int x);
bool FUNCTION __spirv_GroupLogicalAndKHR(uint scope, uint operation, bool x);
bool FUNCTION __spirv_GroupLogicalOrKHR(uint scope, uint operation, bool x);
bool FUNCTION __spirv_GroupLogicalXorKHR(uint scope, uint operation, bool x);

__kernel void more_operations(__global int *out, __global const int *in)
{
    const size_t i = get_global_id(0);
    const int x = in[i];
    __global int *mine = out + i * 8;
    mine[0] = __spirv_GroupIMulKHR(WORKGROUP, 0, x);
    mine[1] = (int)__spirv_GroupFMulKHR(SUBGROUP, 1, (float)(1 + (x & 1)));
    mine[2] = __spirv_GroupBitwiseAndKHR(SUBGROUP, 2, x | 64);
    mine[3] = __spirv_GroupBitwiseOrKHR(WORKGROUP, 1, x);
    mine[4] = __spirv_GroupBitwiseXorKHR(WORKGROUP, 2, x);
    mine[5] = __spirv_GroupLogicalAndKHR(SUBGROUP, 1, x > 20);
    mine[6] = __spirv_GroupLogicalOrKHR(SUBGROUP, 2, x > 80);
    mine[7] = __spirv_GroupLogicalXorKHR(WORKGROUP, 1, x & 1);
}
