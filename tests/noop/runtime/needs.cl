// SPDX-License-Identifier: MIT
//
// Kernels that need what not every device has.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable

__attribute__((noinline)) static void scale(global float *x)
{
    *x = (float)(*x * 0.1 + *x * *x); // 0.1 is a double: the compiler can't do without doubles
}

kernel void doubles(global float *x)
{
    scale(&x[get_global_id(0)]);
}

kernel void halves(global half *x)
{
    x[get_global_id(0)] *= x[0];
}

kernel void long_atomics(volatile global long *x)
{
    atom_add(x, 1L);
}

__attribute__((intel_reqd_sub_group_size(8))) kernel void sub_groups(global int *x)
{
    x[get_global_id(0)] = get_sub_group_local_id();
}

__attribute__((reqd_work_group_size(256, 1, 1))) kernel void groups(global int *x)
{
    x[get_global_id(0)] = 1;
}

__attribute__((reqd_work_group_size(256, 1, 1), intel_reqd_sub_group_size(8))) kernel void everything(
    global float *x, global half *h, volatile global long *l)
{
    scale(&x[get_global_id(0)]);
    h[get_global_id(0)] *= h[0];
    atom_add(l, 1L);
}
