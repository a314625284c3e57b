// SPDX-License-Identifier: MIT
//
// Kernels of several shapes: pointers, values of several sizes, local memory, two dimensions.

kernel void combine(global const uint *from, global const uint *other, global uint *to, ulong factor, uchar zero)
{
    const size_t i = get_global_id(0);
    to[i] = (uint)(from[i] * factor) + other[i] + zero;
}

// Each work-group turns its numbers around.
kernel void reverse_groups(global uint *values, local uint *scratch)
{
    const size_t i = get_local_id(0), last = get_local_size(0) - 1;
    scratch[last - i] = values[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    values[get_global_id(0)] = scratch[i];
}

kernel void plane(global uint *values, uint pitch, uint k)
{
    const uint x = (uint)get_global_id(0), y = (uint)get_global_id(1);
    values[y * pitch + x] ^= y * 16 + x + k;
}
