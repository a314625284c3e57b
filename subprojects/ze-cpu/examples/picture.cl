// SPDX-License-Identifier: MIT

// Rings around the middle.
__kernel void draw(__write_only image2d_t picture)
{
    const int2 at = (int2)(get_global_id(0), get_global_id(1));
    const float2 size = convert_float2(get_image_dim(picture));
    const float2 place = (convert_float2(at) + 0.5f) / size - 0.5f;
    const float wave = 0.5f + 0.5f * cos(60.0f * length(place));
    write_imagef(picture, at, (float4)(wave, place.x + 0.5f, place.y + 0.5f, 1.0f));
}

// A part of one picture, as large as the whole of the other.
__kernel void zoom(__read_only image2d_t from, sampler_t sampler, float2 corner, float2 extent, __write_only image2d_t to)
{
    const int2 at = (int2)(get_global_id(0), get_global_id(1));
    const float2 place = (convert_float2(at) + 0.5f) / convert_float2(get_image_dim(to));
    write_imagef(to, at, read_imagef(from, sampler, corner + extent * place));
}
