// SPDX-License-Identifier: MIT
//
// Program-scope variables, one of which has no name for drivers, and a kernel that some devices can't run.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

global int shown = 5;
constant int squares[4] = {0, 1, 4, 9};
static global int hidden = 7;

kernel void plain(global int *x)
{
    x[get_global_id(0)] = 7;
}

kernel void uses_both(global int *x)
{
    x[get_global_id(0)] = (shown += squares[x[0] & 3]) + (hidden += 2);
}

kernel void precise(global double *x)
{
    x[get_global_id(0)] *= 0.1;
}
