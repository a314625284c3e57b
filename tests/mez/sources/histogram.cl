// SPDX-License-Identifier: MIT
//
// How often each value of a byte occurs: each work-group counts in local memory first.

#include "bins.h"

kernel void histogram(global const uchar *values, uint count, global uint *bins)
{
    local uint own[BINS];
    for (uint i = get_local_id(0); i < BINS; i += get_local_size(0))
        own[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_global_id(0); i < count; i += get_global_size(0))
        atomic_inc(&own[values[i] % BINS]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_local_id(0); i < BINS; i += get_local_size(0))
        atomic_add(&bins[i], own[i]);
}
