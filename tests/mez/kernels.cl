// SPDX-License-Identifier: MIT
//
// Kernels that the tests of the mez command run.

#include <mezzanine/assert.h>

kernel void saxpy(float a, global const float *x, global float *y)
{
    const size_t i = get_global_id(0);
    y[i] = a * x[i] + y[i];
}

kernel void add_vector(float4 step, global float4 *values)
{
    values[get_global_id(0)] += step;
}

kernel void place(global uint *out)
{
    const size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    const size_t line = z * get_global_size(1) + y;
    out[line * get_global_size(0) + x] = (uint)(x + 10 * y + 100 * z);
}

// Each work-item writes what its left neighbour in the group has put into local memory.
kernel void rotate_group(local int *scratch, global int *values)
{
    const size_t here = get_local_id(0), size = get_local_size(0);
    scratch[here] = values[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    values[get_global_id(0)] = scratch[(here + size - 1) % size];
}

kernel void add_all(char a, uchar b, short c, ushort d, int e, uint f, long g, ulong h, global long *out)
{
    out[get_global_id(0)] = a + b + c + d + e + (long)f + g + (long)h;
}

kernel void is_null(global const int *pointer, global int *out)
{
    out[get_global_id(0)] = pointer == 0;
}

kernel void below(global const int *values, int limit)
{
    assert(values[get_global_id(0)] < limit);
}

kernel void for_ever(global volatile int *flag)
{
    while (*flag == 0)
        ;
}
