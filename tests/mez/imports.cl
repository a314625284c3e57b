// SPDX-License-Identifier: MIT
//
// Kernels with imports that nothing defines, or that the library supplies.

#include <mezzanine/assert.h>

inline int twice(int x)
{
    return 2 * x;
}

int elsewhere(int x);

__attribute__((noinline)) static int both(int x)
{
    return twice(x) + elsewhere(x);
}

kernel void lacks(global int *x)
{
    x[0] = both(x[0]);
}

kernel void lacks_one(global int *x)
{
    x[0] = elsewhere(x[0]);
}

kernel void asserts(global int *x)
{
    assert(x[0] > 0);
}

kernel void plain(global int *x)
{
    x[0] = 7;
}
