// SPDX-License-Identifier: MIT
//
// Kernels that need what not every device has, with lines.

#include <mezzanine/aspects.h>

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

__attribute__((noinline)) static void scale(global float *x)
{
    *x = (float)(*x * 0.1 + *x * *x);
}

kernel void doubles(global float *x)
{
    scale(&x[get_global_id(0)]);
}

kernel void plain(global float *x)
{
    x[get_global_id(0)] *= 2.0f;
}

__attribute__((intel_reqd_sub_group_size(8), reqd_work_group_size(1024, 1, 1))) kernel void sizes(
    global float *x)
{
    x[get_global_id(0)] *= 2.0f;
}

MEZ_DEVICE_HAS(declares, "cpu");
kernel void declares(global float *x)
{
    scale(&x[get_global_id(0)]);
}

MEZ_USES_ASPECTS("ext_intel_free_memory") static void note(global float *x)
{
    *x += 1.0f;
}

kernel void notes(global float *x)
{
    note(x);
}
