// SPDX-License-Identifier: MIT
// Defines a function that link_library.cl defines as well.

int triple(int x)
{
    return x + x + x;
}

__kernel void clash(__global int *out)
{
    out[0] = triple(out[0]);
}
