// SPDX-License-Identifier: MIT
// What images there are not, with a reason in words for each.

#pragma OPENCL EXTENSION cl_khr_mipmap_image : enable
#pragma OPENCL EXTENSION cl_khr_gl_msaa_sharing : enable

uint __attribute__((overloadable)) intel_sub_group_block_read(read_only image2d_t image, int2 at);

__constant sampler_t sampler = CLK_NORMALIZED_COORDS_TRUE | CLK_FILTER_LINEAR;

kernel void gradients(read_only image2d_t image, float2 at, global float4 *out)
{
    out[0] = read_imagef(image, sampler, at, at, at);
}

kernel void blocks(read_only image2d_t image, global uint *out)
{
    out[get_global_id(0)] = intel_sub_group_block_read(image, (int2)(0, 0));
}

kernel void samples(read_only image2d_msaa_t image, global int *out)
{
    out[0] = get_image_num_samples(image);
}
