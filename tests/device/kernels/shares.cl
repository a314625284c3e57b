// SPDX-License-Identifier: MIT
//
// Kernels that share memory of the program: `tally` with `report`, `sum` with a kernel that asks for what not every device has.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

global int tallied;
global float summed;

kernel void tally(int n)
{
    if (get_global_id(0) == 0)
        tallied += n;
}

kernel void report(global int *x)
{
    x[get_global_id(0)] = tallied;
}

kernel void sum(global int *x)
{
    if (get_global_id(0) == 0)
        summed += (float)x[0];
}

kernel void sum_precisely(global int *x)
{
    if (get_global_id(0) == 0)
        summed = (float)(summed * 0.1 + x[0]);
}
