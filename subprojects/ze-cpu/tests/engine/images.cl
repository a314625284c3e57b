// SPDX-License-Identifier: MIT
//
// Each function of images for each type of image; see test_images.c.

#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_depth_images : enable
#pragma OPENCL EXTENSION cl_khr_mipmap_image : enable
#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable

#define ONE(v) (v).x
#define TWO(v) (v).xy
#define FOUR(v) (v)

// With a sampler from numbers of two kinds, and without a sampler.
#define READ(type, function, result, coordinates)                                              \
    kernel void read_##function##_##type(read_only image##type##_t image, sampler_t sampler,   \
        global const float4 *floats, global const int4 *integers, global result *out)          \
    {                                                                                          \
        const size_t i = get_global_id(0), n = get_global_size(0);                             \
        out[i] = read_image##function(image, sampler, coordinates(floats[i]));                 \
        out[n + i] = read_image##function(image, sampler, coordinates(integers[i]));           \
        out[2 * n + i] = read_image##function(image, coordinates(integers[n + i]));            \
    }
#define READ_HALF(type, coordinates)                                                           \
    kernel void read_h_##type(read_only image##type##_t image, sampler_t sampler,              \
        global const float4 *floats, global const int4 *integers, global float4 *out)          \
    {                                                                                          \
        const size_t i = get_global_id(0), n = get_global_size(0);                             \
        out[i] = convert_float4(read_imageh(image, sampler, coordinates(floats[i])));          \
        out[n + i] = convert_float4(read_imageh(image, sampler, coordinates(integers[i])));    \
        out[2 * n + i] = convert_float4(read_imageh(image, coordinates(integers[n + i])));     \
    }
#define WRITE(type, function, value, coordinates, convert)                                     \
    kernel void write_##function##_##type(                                                     \
        write_only image##type##_t image, global const int4 *at, global const value *in)       \
    {                                                                                          \
        const size_t i = get_global_id(0);                                                     \
        write_image##function(image, coordinates(at[i]), convert(in[i]));                      \
    }
#define SAME(x) (x)
#define FIRST(v) (v).x

#define WRITES(type, coordinates)                                                              \
    WRITE(type, f, float4, coordinates, SAME)                                                  \
    WRITE(type, i, int4, coordinates, SAME)                                                    \
    WRITE(type, ui, uint4, coordinates, SAME)                                                  \
    WRITE(type, h, float4, coordinates, convert_half4)
#define ALL(type, coordinates)                                                                 \
    READ(type, f, float4, coordinates)                                                         \
    READ(type, i, int4, coordinates)                                                           \
    READ(type, ui, uint4, coordinates)                                                         \
    READ_HALF(type, coordinates)                                                               \
    WRITES(type, coordinates)
#define DEPTH(type, coordinates)                                                               \
    READ(type, f, float, coordinates)                                                          \
    WRITE(type, f, float4, coordinates, FIRST)

ALL(1d, ONE)
ALL(1d_array, TWO)
ALL(2d, TWO)
ALL(2d_array, FOUR)
ALL(3d, FOUR)
DEPTH(2d_depth, TWO)
DEPTH(2d_array_depth, FOUR)
WRITES(1d_buffer, ONE)

#define READ_BUFFER(function, result, convert)                                                 \
    kernel void read_##function##_1d_buffer(read_only image1d_buffer_t image,                  \
        sampler_t unused, global const float4 *floats, global const int4 *integers,            \
        global result *out)                                                                    \
    {                                                                                          \
        const size_t i = get_global_id(0), n = get_global_size(0);                             \
        out[2 * n + i] = convert(read_image##function(image, integers[n + i].x));              \
    }
READ_BUFFER(f, float4, SAME)
READ_BUFFER(i, int4, SAME)
READ_BUFFER(ui, uint4, SAME)
READ_BUFFER(h, float4, convert_float4)

// ---- read_write: each work-item changes its own texel ----

#define CHANGE(type, coordinates)                                                              \
    kernel void change_##type(read_write image##type##_t image, global const int4 *at)         \
    {                                                                                          \
        const size_t i = get_global_id(0);                                                     \
        const int4 before = read_imagei(image, coordinates(at[i]));                            \
        write_imagei(image, coordinates(at[i]), before + (int4)(1, 2, 3, 4));                  \
        atomic_work_item_fence(                                                                \
            CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item);                \
        const uint4 after = read_imageui(image, coordinates(at[i]));                           \
        write_imageui(image, coordinates(at[i]), after * 2);                                   \
    }
CHANGE(1d, ONE)
CHANGE(1d_array, TWO)
CHANGE(1d_buffer, ONE)
CHANGE(2d, TWO)
CHANGE(2d_array, FOUR)
CHANGE(3d, FOUR)

// ---- what images say of themselves ----

kernel void query_lines(read_only image1d_t a, write_only image1d_array_t b,
    read_write image1d_buffer_t c, global int *out)
{
    out[0] = get_image_width(a);
    out[1] = get_image_width(b);
    out[2] = get_image_array_size(b);
    out[3] = get_image_width(c);
    out[4] = get_image_channel_order(a) | get_image_channel_data_type(c) << 16;
    out[5] = get_image_num_mip_levels(a);
}

kernel void query_areas(read_only image2d_t a, write_only image2d_array_t b,
    read_only image2d_depth_t c, read_only image2d_array_depth_t d, read_only image3d_t e,
    global int *out)
{
    out[0] = get_image_width(a) | get_image_height(a) << 16;
    vstore2(get_image_dim(a), 0, out + 1);
    out[3] = get_image_array_size(b);
    vstore2(get_image_dim(b), 0, out + 4);
    vstore2(get_image_dim(c), 0, out + 6);
    out[8] = get_image_array_size(d);
    vstore2(get_image_dim(d), 0, out + 9);
    out[11] = get_image_depth(e);
    vstore4(get_image_dim(e), 0, out + 12);
    out[16] = get_image_channel_order(c) | get_image_channel_data_type(c) << 16;
}

// ---- samplers, and images that are passed on ----

constant sampler_t smooth =
    CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;

__attribute__((noinline)) float4 look(
    read_only image2d_t image, sampler_t sampler, float2 at)
{
    return read_imagef(image, sampler, at) + (float4)(get_image_width(image));
}

__attribute__((noinline)) void put(write_only image2d_t image, int2 at, float4 value)
{
    write_imagef(image, at, value);
}

// All three readings are the same.
kernel void pass_on(read_only image2d_t from, sampler_t sampler, write_only image2d_t to,
    global const float2 *at, global float4 *out)
{
    const sampler_t own = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;
    const size_t i = get_global_id(0), n = get_global_size(0);
    out[i] = look(from, sampler, at[i]);
    out[n + i] = look(from, smooth, at[i]);
    out[2 * n + i] = read_imagef(from, own, at[i]) + (float4)(get_image_width(from));
    put(to, (int2)(i, 0), out[i]);
}

#define FOUR_IMAGES(n)                                                                         \
    read_only image2d_t a##n, read_only image2d_t b##n, read_only image2d_t c##n,              \
        read_only image2d_t d##n
#define FOUR_SAMPLERS(n) sampler_t s##n, sampler_t t##n, sampler_t u##n, sampler_t v##n
#define FOUR_READINGS(n)                                                                       \
    read_imagef(a##n, s##n, at) + read_imagef(b##n, t##n, at) + read_imagef(c##n, u##n, at) +  \
        read_imagef(d##n, v##n, at)

kernel void many(FOUR_IMAGES(0), FOUR_IMAGES(1), FOUR_IMAGES(2), FOUR_IMAGES(3),
    FOUR_SAMPLERS(0), FOUR_SAMPLERS(1), FOUR_SAMPLERS(2), FOUR_SAMPLERS(3),
    write_only image2d_t to)
{
    const int2 place = (int2)(get_global_id(0), get_global_id(1));
    const float2 at = convert_float2(place) - 1;
    write_imagef(
        to, place, FOUR_READINGS(0) + FOUR_READINGS(1) + FOUR_READINGS(2) + FOUR_READINGS(3));
}

// A loop that may have no rounds, with a barrier around which work-items meet.
kernel void blur(read_only image2d_t from, write_only image2d_t to, sampler_t sampler, int radius,
    local float4 *row)
{
    const int2 at = (int2)(get_global_id(0), get_global_id(1));
    float4 sum = 0;
    for (int dy = -radius; dy < radius; dy++) {
        for (int dx = -radius; dx < radius; dx++)
            sum += read_imagef(from, sampler, convert_float2(at + (int2)(dx, dy)) + 0.25f);
    }
    row[get_local_id(0)] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    write_imagef(to, at, row[get_local_size(0) - 1 - get_local_id(0)] / 64);
}
