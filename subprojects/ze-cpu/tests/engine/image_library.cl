// SPDX-License-Identifier: MIT
// What image_user.cl imports: a function that is given an image, and has a sampler of its own besides.

constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

float4 look_twice(read_only image2d_t image, sampler_t sampler, float2 at)
{
    return read_imagef(image, sampler, at) + read_imagef(image, edge, at);
}
