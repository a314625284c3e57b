// SPDX-License-Identifier: MIT
//
// Kernels that a device is lost with.

kernel void stray(global int *values, ulong at, uint where)
{
    const uint i = (uint)get_global_id(0);
    global int *to = i == where ? (global int *)at : &values[i];
    *to = (int)i;
}

kernel void stray_behind_barrier(global int *values, ulong at, uint where, local uint *shared)
{
    const uint i = (uint)get_local_id(0);
    shared[i] = (uint)get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint other = shared[get_local_size(0) - 1 - i];
    global int *to = get_global_id(0) == where ? (global int *)at : &values[other];
    *to = (int)other;
}

kernel void numbers(global int *values)
{
    values[get_global_id(0)] = (int)get_global_id(0);
}
