// SPDX-License-Identifier: MIT
// Uses what the engine does not have: images.

__constant sampler_t sampler = CLK_NORMALIZED_COORDS_FALSE | CLK_FILTER_NEAREST;

__kernel void missing(__global float4 *out, read_only image2d_t image)
{
    out[0] = read_imagef(image, sampler, (int2)(0, 0));
}
