// SPDX-License-Identifier: MIT
// Exports a function and a variable, and has a kernel that uses both.

__global int shared_state = 1000;

int triple(int x)
{
    return 3 * x;
}

__kernel void library_kernel(__global int *out)
{
    shared_state = triple(out[0]);
}
