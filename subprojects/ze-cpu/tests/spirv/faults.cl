// SPDX-License-Identifier: MIT
//
// Kernels that fault. `where` says which work-item does, in x; `at` is the address that it writes to. `line` is set to the line that
// does.

__kernel void stray(__global int *values, ulong at, uint where, __global volatile uint *line)
{
    const uint i = (uint)get_global_id(0);
    __global int *to = i == where ? (__global int *)at : &values[i];
    line[0] = __LINE__ + 1;
    *to = (int)i;
}

// Behind a barrier, and in front of another one.
__kernel void stray_between_barriers(
    __global int *values, ulong at, uint where, __global volatile uint *line, __local uint *shared)
{
    const uint i = (uint)get_local_id(0);
    shared[i] = (uint)get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint other = shared[get_local_size(0) - 1 - i];
    __global int *to = get_global_id(0) == where ? (__global int *)at : &values[other];
    line[0] = __LINE__ + 1;
    *to = (int)other;
    barrier(CLK_LOCAL_MEM_FENCE);
    values[other] += 1;
}

// One group faults once another has begun, if one does, and the others never end by themselves.
__kernel void stray_amid_endless(
    __global volatile int *values, ulong at, uint where, __global volatile uint *line)
{
    if (get_group_id(0) == where) {
        for (int n = 0; n < (1 << 24) && !line[1]; n++)
            ;
        *(__global volatile int *)at = 1;
    }
    line[1] = 1;
    while (!values[0])
        ;
}

__attribute__((noinline)) int descend(__global volatile int *values, int n)
{
    __private volatile int local_values[64];
    local_values[n & 63] = values[0];
    if (values[1])
        return n;
    return local_values[(n + 1) & 63] + descend(values, n + 1) + descend(values, n + 2);
}

__kernel void recurse(
    __global volatile int *values, ulong at, uint where, __global volatile uint *line)
{
    values[2] = descend(values, 0);
}

__kernel void large_private(
    __global volatile int *values, ulong at, uint where, __global volatile uint *line)
{
    __private volatile int large[1 << 24];
    large[values[0]] = 1;
    large[(1 << 24) - 1 - values[0]] = 2;
    values[2] = large[values[1]];
}

// Prints as fast as it can, so that it is in the middle of it whenever somebody ends it.
__kernel void print(__global volatile int *values)
{
    while (!values[0])
        printf("%d\n", (int)get_global_id(0));
}

__kernel void work(__global int *values)
{
    values[get_global_id(0)] = (int)get_global_id(0) + 1;
}

// With 1.0 / 3.0 in single precision: rounding as the thread has it.
__kernel void divide(__global float *values)
{
    values[get_global_id(0)] = 1.0f / values[get_global_id(0)];
}

// In a file whose name would drive a terminal.
#line 1 "faults\033[31m.cl"
__kernel void stray_elsewhere(
    __global int *values, ulong at, uint where, __global volatile uint *line)
{
    const uint i = (uint)get_global_id(0);
    __global int *to = i == where ? (__global int *)at : &values[i];
    *to = (int)i;
}
