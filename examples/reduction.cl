// SPDX-License-Identifier: MIT
//
// Each work-group adds up its part of the input in local memory and writes one partial sum.

kernel void partial_sums(global const uint *input, global uint *sums, local uint *scratch)
{
    const size_t item = get_local_id(0);
    scratch[item] = input[get_global_id(0)];

    // Halve the number of adding work-items until one is left. All of them meet at each barrier: it makes what one wrote
    // visible to the others.
    for (size_t width = get_local_size(0) / 2; width > 0; width /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < width)
            scratch[item] += scratch[item + width];
    }
    if (item == 0)
        sums[get_group_id(0)] = scratch[0];
}
