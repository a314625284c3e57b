// SPDX-License-Identifier: MIT
//
// Kernels that reach memory in other ways than by their arguments.

__global int own = 5;

__kernel void reads_address(ulong at, __global int *out)
{
#line 101
    out[0] = *(__global int *)at;
}

__kernel void writes_address(ulong at, __global int *out)
{
    out[0] = 1;
#line 201
    *(__global int *)at = 7;
}

__kernel void follows(__global int *__global *list, __global int *out)
{
#line 301
    out[0] = list[0][0];
}

struct pair {
    ulong first; // a pointer
    int more;
};

__kernel void takes_struct(struct pair pair, __global int *out)
{
#line 401
    out[0] = *(__global int *)pair.first + pair.more;
}

__kernel void uses_own(__global int *out)
{
    out[0] = own;
}
