// SPDX-License-Identifier: MIT
//
// Kernels with images and samplers, for test_image_kernels.c.

// Turns a picture around, by a sampler that is an argument.
__kernel void flip(__read_only image2d_t from, __write_only image2d_t to, sampler_t sampler)
{
    const int2 at = (int2)(get_global_id(0), get_global_id(1));
    const int2 size = get_image_dim(to);
    const float2 source = ((float2)(size.x - 1 - at.x, at.y) + 0.5f) / convert_float2(size);
    write_imagef(to, at, read_imagef(from, sampler, source));
}

__constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;

// Sums of a pixel and its neighbours, of which those outside are zeros.
__kernel void sum(__read_only image2d_t from, __global uint *out)
{
    const int2 at = (int2)(get_global_id(0), get_global_id(1));
    uint total = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            total += read_imageui(from, nearest, at + (int2)(dx, dy)).x;
    out[at.y * get_image_width(from) + at.x] = total;
}

// Adds one to each texel of a volume, in place.
__kernel void increment(__read_write image3d_t image)
{
    const int4 at = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);
    write_imagei(image, at, read_imagei(image, at) + 1);
}

__kernel void layers(__read_only image2d_array_t from, __global float *out)
{
    const int layer = (int)get_global_id(0);
    out[layer] = read_imagef(from, nearest, (int4)(0, 0, layer, 0)).y;
    if (layer == 0)
        out[get_image_array_size(from)] = (float)get_image_array_size(from);
}

__kernel void line(__read_only image1d_buffer_t from, __write_only image1d_t to)
{
    const int at = (int)get_global_id(0);
    write_imagef(to, at, read_imagef(from, at));
}
