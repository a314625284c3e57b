// SPDX-License-Identifier: MIT
//
// A kernel that every device runs, and one that needs fp64.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

kernel void plain(global float *x)
{
    x[get_global_id(0)] *= 2.0f;
}

kernel void doubles(global double *x)
{
    x[get_global_id(0)] *= 2.0;
}
