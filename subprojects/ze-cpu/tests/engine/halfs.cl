// SPDX-License-Identifier: MIT
// Half precision.

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

__kernel void halfs(__global half *out, __global const half *in)
{
    const size_t i = get_global_id(0);
    out[i] = sqrt(in[i]) * in[i] + (half)1;
}
