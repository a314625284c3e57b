// SPDX-License-Identifier: MIT
//
// What imports.cl uses. SECOND has a function that itself uses one of the other file.

#include <mezzanine/assert.h>

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#ifdef SECOND
int twice(int x);

int four_times(int x)
{
    return twice(twice(x));
}
#else
global int shared_number = 42;

int twice(int x)
{
    return 2 * x;
}

int checked(int x, int limit)
{
    assert(x < limit);
    return x + 1;
}

float precise(float x)
{
    return (float)(x * 0.1 + x * x);
}

kernel void alone(global int *x)
{
    x[get_global_id(0)] = 7;
}
#endif
