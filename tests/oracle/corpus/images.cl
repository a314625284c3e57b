// SPDX-License-Identifier: MIT
//
// Images: the compiler takes them for every device, and one of the devices has none.

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_FILTER_NEAREST;

kernel void sampled(read_only image2d_t image, sampler_t sampler, global float4 *x)
{
    x[0] = read_imagef(image, sampler, (float2)(1, 1));
}

kernel void sampled_by_constant(read_only image2d_t image, global float4 *x)
{
    x[0] = read_imagef(image, nearest, (float2)(1, 1));
}

kernel void written(write_only image2d_t image)
{
    write_imagef(image, (int2)(1, 1), (float4)(1));
}

kernel void read_and_written(read_write image2d_t image, global float4 *x)
{
    x[0] = read_imagef(image, (int2)(0, 0));
    write_imagef(image, (int2)(1, 1), x[1]);
}

kernel void unused(read_only image2d_t image, global int *x)
{
    x[0] = 1;
}

kernel void measured(read_only image3d_t image, global int *x)
{
    x[0] = get_image_width(image);
}

kernel void array_of(read_only image2d_array_t image, global float4 *x)
{
    x[0] = read_imagef(image, (int4)(0));
}

kernel void buffer_of(read_only image1d_buffer_t image, global float4 *x)
{
    x[0] = read_imagef(image, 3);
}

kernel void depths(read_only image2d_depth_t image, global float *x)
{
    x[0] = read_imagef(image, (int2)(0));
}

kernel void only_sampler(sampler_t sampler, global int *x)
{
    x[0] = 1;
}

__attribute__((noinline)) static float4 reads(read_only image2d_t image)
{
    return read_imagef(image, (int2)(3, 3));
}

kernel void read_by_helper(read_only image2d_t image, global float4 *x)
{
    x[0] = reads(image);
}
