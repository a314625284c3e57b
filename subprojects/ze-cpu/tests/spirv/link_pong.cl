// SPDX-License-Identifier: MIT
//
// Needs link_ping.cl, which needs this.
uint ping(uint number);
extern __global uint pings;
__global uint pongs = 7;

uint pong(uint number)
{
    return 2 * ping(number) + pongs;
}

__kernel void start_pong(__global uint *out)
{
    out[0] = ping(3);
    pings++;
}
