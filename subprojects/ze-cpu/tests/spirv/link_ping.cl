// SPDX-License-Identifier: MIT
//
// Needs link_pong.cl, which needs this.
uint pong(uint depth);
extern __global uint pongs;
__global uint pings = 5;

uint ping(uint number)
{
    return number + pings;
}

__kernel void start_ping(__global uint *out)
{
    out[0] = pong(1);
    pongs++;
}
