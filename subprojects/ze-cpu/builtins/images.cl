// SPDX-License-Identifier: MIT
//
// Images, as OpenCL C's section "Image addressing and filtering" has it. engine/images.c calls these functions for SPIR-V's instructions,
// with coordinates widened to four and the shape of the image (image_shape.h), which it knows.
//
// Whatever the coordinates are, nothing outside of the image is accessed: a number that does not name a texel becomes one just outside of
// the image before it is made an integer, and each integer is clamped.
//
// Two-dimensional images of floats or bytes with four channels are what kernels have nearly always. The code for those is inlined into
// kernels; that for all others is not, so that kernels stay small.

#include "pixels.h"

// Indices along a side, and how much the second counts. Those outside of the image stand for the border.
struct steps {
    int first, second;
    float weight;
};

INLINE uint address_mode(uint sampler)
{
    return sampler & ZC_SAMPLER_ADDRESS_MASK;
}

// Of coordinates that are not normalised the two modes that repeat the image say nothing.
INLINE bool repeats(uint sampler, uint mode)
{
    return (sampler & ZC_SAMPLER_NORMALIZED) && address_mode(sampler) == mode;
}

INLINE int clamp_index(int i, int low, int high)
{
    return i < low ? low : i > high ? high : i;
}

// To the image, or to the first index outside.
INLINE int clamp_to_mode(int i, uint sampler, uint size)
{
    const int room = address_mode(sampler) == ZC_SAMPLER_CLAMP;
    return clamp_index(i, -room, (int)size - 1 + room);
}

INLINE int clamp_to_image(int i, uint size)
{
    return clamp_index(i, 0, (int)size - 1);
}

// NaN becomes `low`.
INLINE float clamp_float(float x, float low, float high)
{
    const float result = x > low ? x : low;
    return result < high ? result : high;
}

// Sides are shorter, those of buffers too, and an int holds it.
INLINE float side(uint size)
{
    return (float)(size < 0x40000000 ? size : 0x40000000);
}

INLINE float floor_of(float x)
{
    return __builtin_floorf(x);
}

// The part of the image's side that the coordinate stands for, from 0 to 1.
INLINE float repeated(float x)
{
    return clamp_float(x - floor_of(x), 0, 1);
}

INLINE float mirrored(float x)
{
    const float distance = x - 2 * __builtin_rintf(0.5f * x);
    return clamp_float(distance < 0 ? -distance : distance, 0, 1);
}

// In texels, for the modes that clamp.
INLINE float position(float x, uint sampler, uint size)
{
    const float end = side(size);
    return clamp_float(sampler & ZC_SAMPLER_NORMALIZED ? x * end : x, -1, end + 1);
}

INLINE int nearest(float x, uint sampler, uint size)
{
    if (repeats(sampler, ZC_SAMPLER_REPEAT)) {
        const int i = (int)floor_of(repeated(x) * side(size));
        return clamp_to_image(i > (int)size - 1 ? i - (int)size : i, size);
    }
    if (repeats(sampler, ZC_SAMPLER_MIRRORED_REPEAT))
        return clamp_to_image((int)floor_of(mirrored(x) * side(size)), size);
    return clamp_to_mode((int)floor_of(position(x, sampler, size)), sampler, size);
}

INLINE struct steps both_sides(float position)
{
    const float below = floor_of(position - 0.5f);
    return (struct steps){(int)below, (int)below + 1, position - 0.5f - below};
}

INLINE struct steps linear(float x, uint sampler, uint size)
{
    struct steps steps;
    if (repeats(sampler, ZC_SAMPLER_REPEAT)) {
        steps = both_sides(repeated(x) * side(size));
        steps.first = clamp_to_image(steps.first < 0 ? steps.first + (int)size : steps.first, size);
        steps.second = clamp_to_image(
            steps.second > (int)size - 1 ? steps.second - (int)size : steps.second, size);
        return steps;
    }
    if (repeats(sampler, ZC_SAMPLER_MIRRORED_REPEAT)) {
        steps = both_sides(mirrored(x) * side(size));
        steps.first = clamp_to_image(steps.first, size);
        steps.second = clamp_to_image(steps.second, size);
        return steps;
    }
    steps = both_sides(position(x, sampler, size));
    steps.first = clamp_to_mode(steps.first, sampler, size);
    steps.second = clamp_to_mode(steps.second, sampler, size);
    return steps;
}

// ---- shapes ----

INLINE bool has_rows(int shape)
{
    return shape >= ZC_SHAPE_2D;
}

INLINE bool has_layers(int shape)
{
    return shape == ZC_SHAPE_1D_ARRAY || shape == ZC_SHAPE_2D_ARRAY;
}

// Of x, y and slice, as far as the image has them.
INLINE bool is_inside(image what, int4 at, int shape)
{
    const uint slices = has_layers(shape) ? what->layers : what->depth;
    return (uint)at.x < what->width && (!has_rows(shape) || (uint)at.y < what->height) &&
           (shape == ZC_SHAPE_1D || shape == ZC_SHAPE_2D || (uint)at.z < slices);
}

INLINE texel address(image what, int4 at, int shape, uint texel_size)
{
    ulong result = what->texels + (ulong)(uint)at.x * texel_size;
    if (has_rows(shape))
        result += (uint)at.y * what->row_pitch;
    if (shape != ZC_SHAPE_1D && shape != ZC_SHAPE_2D)
        result += (uint)at.z * what->slice_pitch;
    return (texel)result;
}

// The layer of an array is the second coordinate of one of lines.
INLINE int4 with_slice_third(int4 at, int shape)
{
    return shape == ZC_SHAPE_1D_ARRAY ? (int4)(at.x, 0, at.y, 0) : at;
}

INLINE int nearest_layer(image what, float layer)
{
    const float end = side(what->layers);
    return clamp_to_image((int)__builtin_rintf(clamp_float(layer, -1, end)), what->layers);
}

INLINE float4 border(image what)
{
    return (float4)(0, 0, 0, what->border_alpha ? 1 : 0);
}

// ---- any image ----

static inline float4 read_floats(image what, int4 at, int shape)
{
    if (!is_inside(what, at, shape))
        return border(what);
    return float_components(what, load_floats(what, address(what, at, shape, what->texel_size)));
}

static inline int4 read_integers(image what, int4 at, int shape)
{
    if (!is_inside(what, at, shape))
        return (int4)(0, 0, 0, what->border_alpha ? 1 : 0);
    return int_components(what, load_integers(what, address(what, at, shape, what->texel_size)));
}

INLINE int4 nearest_texel(image what, uint sampler, float4 at, int shape)
{
    int4 result = (int4)(nearest(at.x, sampler, what->width), 0, 0, 0);
    if (has_rows(shape))
        result.y = nearest(at.y, sampler, what->height);
    if (shape == ZC_SHAPE_3D)
        result.z = nearest(at.z, sampler, what->depth);
    if (has_layers(shape))
        result.z = nearest_layer(what, shape == ZC_SHAPE_1D_ARRAY ? at.y : at.z);
    return result;
}

INLINE int4 integer_texel(image what, uint sampler, int4 at, int shape)
{
    int4 result = (int4)(clamp_to_mode(at.x, sampler, what->width), 0, 0, 0);
    if (has_rows(shape))
        result.y = clamp_to_mode(at.y, sampler, what->height);
    if (shape == ZC_SHAPE_3D)
        result.z = clamp_to_mode(at.z, sampler, what->depth);
    if (has_layers(shape))
        result.z = clamp_to_image(with_slice_third(at, shape).z, what->layers);
    return result;
}

// The corners of a line, a square or a cube, each with its weight.
INLINE float4 blend_any(image what, uint sampler, float4 at, int shape)
{
    const struct steps none = {0, 0, 0};
    const struct steps x = linear(at.x, sampler, what->width);
    const struct steps y = has_rows(shape) ? linear(at.y, sampler, what->height) : none;
    const struct steps z = shape == ZC_SHAPE_3D ? linear(at.z, sampler, what->depth) : none;
    const int corners = shape == ZC_SHAPE_3D ? 8 : has_rows(shape) ? 4 : 2;
    const int layer =
        has_layers(shape) ? nearest_layer(what, shape == ZC_SHAPE_1D_ARRAY ? at.y : at.z) : 0;
    float4 sum = 0;
    for (int i = 0; i < corners; i++) {
        const int4 corner = (int4)(i & 1 ? x.second : x.first, i & 2 ? y.second : y.first,
            has_layers(shape) ? layer
            : i & 4           ? z.second
                              : z.first,
            0);
        float weight = i & 1 ? x.weight : 1 - x.weight;
        if (has_rows(shape))
            weight *= i & 2 ? y.weight : 1 - y.weight;
        if (shape == ZC_SHAPE_3D)
            weight *= i & 4 ? z.weight : 1 - z.weight;
        sum += weight * read_floats(what, corner, shape);
    }
    return sum;
}

// A description comes as a number where code is not to be inlined: checked kernels inline what is given pointers.
#define APART __attribute__((noinline)) BUILTIN

float4 APART zc_image_sample_any(ulong what, uint sampler, float4 at, int shape)
{
    if (sampler & ZC_SAMPLER_LINEAR)
        return blend_any((image)what, sampler, at, shape);
    return read_floats((image)what, nearest_texel((image)what, sampler, at, shape), shape);
}

float4 APART zc_image_fetch_any(ulong what, uint sampler, int4 at, int shape)
{
    return read_floats((image)what, integer_texel((image)what, sampler, at, shape), shape);
}

void APART zc_image_write_any(ulong what, int4 at, float4 value, int shape)
{
    store_floats((image)what, address((image)what, at, shape, ((image)what)->texel_size),
        float_channels((image)what, value));
}

// ---- two dimensions, four channels ----

INLINE float4 load_rgba(image what, int x, int y, bool is_bytes)
{
    const int4 at = (int4)(x, y, 0, 0);
    return is_bytes ? load_bytes(address(what, at, ZC_SHAPE_2D, 4))
                    : *(const __global loose_float4 *)address(what, at, ZC_SHAPE_2D, 16);
}

INLINE float4 read_rgba(image what, uint sampler, int x, int y, bool is_bytes)
{
    if (address_mode(sampler) != ZC_SAMPLER_CLAMP)
        return load_rgba(what, x, y, is_bytes);
    const int near_x = clamp_to_image(x, what->width), near_y = clamp_to_image(y, what->height);
    const float4 value = load_rgba(what, near_x, near_y, is_bytes);
    return near_x == x && near_y == y ? value : border(what);
}

// The order of operations is blend_any's, and so are the results.
INLINE float4 blend_rgba(image what, uint sampler, struct steps x, struct steps y, bool is_bytes)
{
    const float a = x.weight, b = y.weight;
    float4 sum = (1 - a) * (1 - b) * read_rgba(what, sampler, x.first, y.first, is_bytes);
    sum += a * (1 - b) * read_rgba(what, sampler, x.second, y.first, is_bytes);
    sum += (1 - a) * b * read_rgba(what, sampler, x.first, y.second, is_bytes);
    return sum + a * b * read_rgba(what, sampler, x.second, y.second, is_bytes);
}

INLINE float4 sample_rgba(image what, uint sampler, float4 at, bool is_bytes)
{
    if (sampler & ZC_SAMPLER_LINEAR) {
        const struct steps x = linear(at.x, sampler, what->width);
        const struct steps y = linear(at.y, sampler, what->height);
        return is_bytes ? blend_rgba(what, sampler, x, y, true)
                        : blend_rgba(what, sampler, x, y, false);
    }
    const int x = nearest(at.x, sampler, what->width), y = nearest(at.y, sampler, what->height);
    return is_bytes ? read_rgba(what, sampler, x, y, true) : read_rgba(what, sampler, x, y, false);
}

INLINE float4 fetch_rgba(image what, uint sampler, int4 at, bool is_bytes)
{
    const int x = clamp_to_mode(at.x, sampler, what->width);
    const int y = clamp_to_mode(at.y, sampler, what->height);
    return is_bytes ? read_rgba(what, sampler, x, y, true) : read_rgba(what, sampler, x, y, false);
}

INLINE bool is_usual(image what, int shape, bool is_bytes)
{
    return shape == ZC_SHAPE_2D && (is_bytes || is_rgba_of_floats(what));
}

// ---- what engine/images.c calls ----

float4 BUILTIN __spirv_zc_image_sample(image what, uint sampler, float4 at, int shape)
{
    const bool is_bytes = is_rgba_of_bytes(what);
    if (is_usual(what, shape, is_bytes))
        return sample_rgba(what, sampler, at, is_bytes);
    return zc_image_sample_any((ulong)what, sampler, at, shape);
}

float4 BUILTIN __spirv_zc_image_fetch(image what, uint sampler, int4 at, int shape)
{
    const bool is_bytes = is_rgba_of_bytes(what);
    if (is_usual(what, shape, is_bytes))
        return fetch_rgba(what, sampler, at, is_bytes);
    return zc_image_fetch_any((ulong)what, sampler, at, shape);
}

// Integers are never blended.
int4 BUILTIN __spirv_zc_image_sample(ulong what, uint sampler, float4 at, int shape)
{
    return read_integers((image)what, nearest_texel((image)what, sampler, at, shape), shape);
}

int4 BUILTIN __spirv_zc_image_fetch(ulong what, uint sampler, int4 at, int shape)
{
    return read_integers((image)what, integer_texel((image)what, sampler, at, shape), shape);
}

void BUILTIN __spirv_zc_image_write(image what, int4 at, float4 value, int shape)
{
    const int4 place = with_slice_third(at, shape);
    if (!is_inside(what, place, shape))
        return;
    if (shape == ZC_SHAPE_2D && is_rgba_of_bytes(what))
        store_bytes(address(what, place, shape, 4), value);
    else if (shape == ZC_SHAPE_2D && is_rgba_of_floats(what))
        *(__global loose_float4 *)address(what, place, shape, 16) = value;
    else
        zc_image_write_any((ulong)what, place, value, shape);
}

void BUILTIN __spirv_zc_image_write(ulong number, int4 at, int4 value, int shape)
{
    image what = (image)number;
    const int4 place = with_slice_third(at, shape);
    if (is_inside(what, place, shape))
        store_integers(
            what, address(what, place, shape, what->texel_size), int_channels(what, value));
}

int4 BUILTIN __spirv_zc_image_size(image what, int shape)
{
    const int slices = has_layers(shape) ? what->layers : what->depth;
    return shape == ZC_SHAPE_1D_ARRAY ? (int4)(what->width, slices, 0, 0)
                                      : (int4)(what->width, what->height, slices, 0);
}

int BUILTIN __spirv_zc_image_order(image what)
{
    return what->channel_order - ZC_FIRST_CHANNEL_ORDER;
}

int BUILTIN __spirv_zc_image_data_type(image what)
{
    return what->channel_data_type - ZC_FIRST_CHANNEL_DATA_TYPE;
}
