// SPDX-License-Identifier: MIT
//
// Work-items that work together: barriers, local memory, atomics.

#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

// sums[group] = the sum of the group's part of `values`, by halves.
kernel void reduce(global const int *values, local int *partial, global int *sums)
{
    const size_t i = get_local_id(0);
    partial[i] = values[get_global_id(0)];
    for (size_t half_size = get_local_size(0) / 2; half_size > 0; half_size /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i < half_size)
            partial[i] += partial[i + half_size];
    }
    if (i == 0)
        sums[get_group_id(0)] = partial[0];
}

// Passes a token around the group: in round r the work-items read what their neighbour wrote in the round before. Some rounds
// have barriers of their own inside.
kernel void rotate_values(int rounds, local int *now, local int *next, global int *out)
{
    const int i = (int)get_local_id(0), n = (int)get_local_size(0);
    now[i] = i;
    for (int round = 0; round < rounds; round++) {
        for (int part = 0; part < 2; part++) {
            barrier(CLK_LOCAL_MEM_FENCE);
            if (part == 0)
                next[i] = now[(i + 1) % n];
            else if (round % 3 != 2) // the same for all
                now[i] = next[i];
        }
        if (round % 3 == 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            now[i] = next[i] + 100;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = now[i];
}

kernel void atomics32(global volatile int *counters)
{
    const int i = (int)get_global_id(0);
    atomic_add(&counters[0], i);
    atomic_sub(&counters[1], 2);
    atomic_max(&counters[2], i);
    atomic_min(&counters[3], -i);
    atomic_or(&counters[4], 1 << (i % 31));
    atomic_inc(&counters[5]);
    if (atomic_cmpxchg(&counters[6], 0, i + 1) == 0)
        atomic_inc(&counters[7]);
}

kernel void atomics64(global volatile long *counters)
{
    const long i = (long)get_global_id(0);
    atom_add(&counters[0], i << 32);
    atom_max(&counters[1], i << 33);
    atom_inc(&counters[2]);
}

kernel void local_atomics(local int *count, global int *out)
{
    if (get_local_id(0) == 0)
        *count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add((volatile local int *)count, 3);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = *count;
}
