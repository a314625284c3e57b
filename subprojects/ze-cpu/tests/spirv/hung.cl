// SPDX-License-Identifier: MIT
//
// Kernels that do not end before the host lets them.

// What a kernel has to say before it hangs.
__global volatile uint last_words = 0;

__kernel void hang(__global volatile uint *go)
{
    last_words = 7;
    while (!*go)
        ;
}

// The others of the group wait at a barrier that the first does not reach.
__kernel void hang_before_barrier(__global volatile uint *go)
{
    last_words = 8;
    if (get_local_id(0) == 0)
        while (!*go)
            ;
    barrier(CLK_GLOBAL_MEM_FENCE);
}

__kernel void answer(__global uint *out)
{
    out[get_global_id(0)] = 42;
}
