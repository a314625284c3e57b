// SPDX-License-Identifier: MIT
//
// A kernel that needs 64-bit floating point.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

__kernel void halve(__global double *numbers)
{
    numbers[get_global_id(0)] /= 2;
}
