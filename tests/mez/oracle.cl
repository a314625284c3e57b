// SPDX-License-Identifier: MIT
//
// One kernel per case, each compiled alone with -DCASE=n, for what devices differ in.

#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable

#if CASE == 0
__attribute__((intel_reqd_sub_group_size(8))) kernel void test(global int *x)
{
    x[get_global_id(0)] = get_sub_group_local_id();
}
#elif CASE == 1
__attribute__((intel_reqd_sub_group_size(16))) kernel void test(global int *x)
{
    x[get_global_id(0)] = get_sub_group_local_id();
}
#elif CASE == 2
__attribute__((intel_reqd_sub_group_size(32))) kernel void test(global int *x)
{
    x[get_global_id(0)] = get_sub_group_local_id();
}
#elif CASE == 3
__attribute__((intel_reqd_sub_group_size(64))) kernel void test(global int *x)
{
    x[get_global_id(0)] = get_sub_group_local_id();
}
#elif CASE == 4
kernel void test(global half *x)
{
    x[get_global_id(0)] *= x[0];
}
#elif CASE == 5
kernel void test(volatile global long *x)
{
    atom_add(x, 1L);
}
#elif CASE == 6 // a larger work-group than any device runs
__attribute__((reqd_work_group_size(2048, 1, 1))) kernel void test(global int *x)
{
    x[get_global_id(0)] = 1;
}
#elif CASE == 7
kernel void test(read_only image2d_t image, global float4 *x)
{
    const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
    x[get_global_id(0)] = read_imagef(image, nearest, (int2)(0, 0));
}
#elif CASE == 8 // a fitting work-group
__attribute__((reqd_work_group_size(64, 4, 1))) kernel void test(global int *x)
{
    x[get_global_id(0)] = 1;
}
#endif
