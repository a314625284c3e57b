// SPDX-License-Identifier: MIT
// A program whose second kernel has images, and a function for them from elsewhere (image_library.cl).

float4 look_twice(read_only image2d_t image, sampler_t sampler, float2 at);

kernel void first(global int *out)
{
    out[get_global_id(0)] = (int)get_global_id(0);
}

kernel void second(global float4 *out, read_only image2d_t image, int shift, sampler_t sampler)
{
    const int i = (int)get_global_id(0);
    out[i] = look_twice(image, sampler, (float2)(i + shift, i));
}
