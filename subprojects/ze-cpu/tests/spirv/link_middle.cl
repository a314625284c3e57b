// SPDX-License-Identifier: MIT
//
// Between link_kernel.cl and link_leaf.cl. Its functions ask for ids and wait at barriers.
uint offset(void);

__global uint scaled = 0;
static __global uint hidden = 10;

uint tag(void)
{
    return 2;
}

uint scale(uint number)
{
    return (uint)get_global_id(0) * number + hidden++ / 1000 + tag() + offset();
}

uint sum_of_group(uint number, __local uint *scratch)
{
    const size_t lid = get_local_id(0);
    scratch[lid] = number;
    for (size_t step = get_local_size(0) / 2; step; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < step)
            scratch[lid] += scratch[lid + step];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return scratch[0];
}
