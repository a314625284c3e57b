// SPDX-License-Identifier: MIT
//
// Kernels of the tests through the loader.

__kernel void saxpy(float a, __global const float *x, __global float *y)
{
    const size_t i = get_global_id(0);
    y[i] = a * x[i] + y[i];
}

__kernel void where_am_i(__global ulong4 *out)
{
    const size_t at = get_global_linear_id();
    out[at] = (ulong4)(get_global_id(0), get_global_id(1), get_group_id(2), get_local_linear_id());
}

// Sums each group's numbers by halving, with a barrier per step.
__kernel void sum_group(__global const uint *in, __global uint *out, __local uint *scratch)
{
    const size_t lid = get_local_id(0);
    scratch[lid] = in[get_global_id(0)];
    for (size_t step = get_local_size(0) / 2; step; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < step)
            scratch[lid] += scratch[lid + step];
    }
    if (lid == 0)
        out[get_group_id(0)] = scratch[0];
}

__kernel void count_all(__global volatile uint *counter)
{
    atomic_inc(counter);
}

// Adds up one number of each group, after all groups have written theirs.
__kernel void sum_across_groups(
    __global volatile uint *arrived, __global volatile uint *numbers, __global uint *sums)
{
    const uint groups = (uint)get_num_groups(0);
    if (get_local_id(0) == 0) {
        numbers[get_group_id(0)] = (uint)get_group_id(0) + 1;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_inc(arrived);
        while (atomic_or(arrived, 0) < groups)
            ;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    uint sum = 0;
    for (uint i = 0; i < groups; i++)
        sum += numbers[i];
    sums[get_global_id(0)] = sum;
}

__kernel __attribute__((reqd_work_group_size(8, 2, 1))) void sized(__global uint *out)
{
    if (get_global_linear_id() == 0)
        *out = (uint)get_local_size(0);
}
