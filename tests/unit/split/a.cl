// SPDX-License-Identifier: MIT
//
// Kernels that differ in what they need, and that call functions of b.cl.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

void __devicelib_assert_fail(constant char *text, int line);
float deep(float x); // of b.cl, where it takes a double

global int counter;

kernel void plain(global float *x)
{
    x[0] += 1;
}

kernel void plain_too(global float *x)
{
    x[0] += 2;
}

kernel void doubles(global float *x)
{
    x[0] *= 0.1;
}

__attribute__((reqd_work_group_size(8, 4, 1))) kernel void sized(global float *x)
{
    x[get_local_id(0)] = 1;
}

__attribute__((noinline, intel_reqd_sub_group_size(16))) kernel void grouped(global float *x)
{
    x[get_local_id(0)] = 2;
}

__attribute__((intel_reqd_sub_group_size(8))) kernel void calls_grouped(global float *x)
{
    grouped(x);
}

__attribute__((annotate("mez.uses_aspects:-3"))) kernel void accurate(global float *x)
{
    x[0] = native_sin(x[1]);
}

kernel void counts(global int *x)
{
    x[0] = counter++;
}

kernel void counts_too(global int *x)
{
    counter += x[0];
}

kernel void asserts(global int *x)
{
    if (x[0])
        __devicelib_assert_fail("x[0]", 1);
}

kernel void calls_out(global float *x)
{
    x[0] = deep(x[1]);
}
