// SPDX-License-Identifier: MIT
// Uses what the engine does not have: images with smaller ones of themselves.

#pragma OPENCL EXTENSION cl_khr_mipmap_image : enable

__constant sampler_t sampler = CLK_NORMALIZED_COORDS_TRUE | CLK_FILTER_LINEAR;

__kernel void missing(__global float4 *out, read_only image2d_t image)
{
    out[0] = read_imagef(image, sampler, (float2)(0, 0), 1.0f);
}
