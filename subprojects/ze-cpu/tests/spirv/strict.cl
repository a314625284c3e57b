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

struct triple {
    int first, second, third;
};

// Of 12 bytes, so that one lies across the border of two pages.
__kernel void copies_triple(__global struct triple *list, __global int *out)
{
    list[0] = list[5461];
    out[0] = list[0].third;
}
