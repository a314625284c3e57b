// SPDX-License-Identifier: MIT
//
// Kernels that not every device can run. -DFEATURE=... chooses one, because a module is built as a whole.

#if FEATURE == 64
kernel void feature(global double *values)
{
    const size_t i = get_global_id(0);
    values[i] = sqrt(values[i]) / 3.0;
}
#elif FEATURE == 16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void feature(global half *values)
{
    const size_t i = get_global_id(0);
    values[i] = values[i] * 2.0h + 0.5h;
}
#else
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
__attribute__((intel_reqd_sub_group_size(SUB_GROUP))) kernel void feature(global uint *sizes)
{
    const size_t i = get_global_id(0);
    sizes[2 * i] = get_max_sub_group_size();
    sizes[2 * i + 1] = sub_group_reduce_add(1u);
}
#endif
