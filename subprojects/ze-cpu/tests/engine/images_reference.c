// SPDX-License-Identifier: MIT
//
// Which texels are read.

#include "images_reference.h"

#include <math.h>

int sides_of(enum zc_image_dimensions dimensions)
{
    switch (dimensions) {
    case ZC_IMAGE_2D:
    case ZC_IMAGE_2D_ARRAY:
        return 2;
    case ZC_IMAGE_3D:
        return 3;
    default:
        return 1;
    }
}

bool is_array(enum zc_image_dimensions dimensions)
{
    return dimensions == ZC_IMAGE_1D_ARRAY || dimensions == ZC_IMAGE_2D_ARRAY;
}

bool is_integer(const struct zc_image *image)
{
    return image->type == ZC_TEXEL_UINT || image->type == ZC_TEXEL_SINT;
}

static int side(const struct zc_image *image, int axis)
{
    return (int)(axis == 0 ? image->width : axis == 1 ? image->height : image->depth);
}

// `at` has as many sides as the image, and then the layer.
bool is_inside(const struct zc_image *image, enum zc_image_dimensions dimensions, const int at[3])
{
    const int sides = sides_of(dimensions);
    bool inside = true;
    for (int i = 0; i < sides; i++)
        inside &= at[i] >= 0 && at[i] < side(image, i);
    return inside && (!is_array(dimensions) || (at[sides] >= 0 && at[sides] < (int)image->layers));
}

unsigned char *texel_at(
    const struct zc_image *image, enum zc_image_dimensions dimensions, const int at[3])
{
    const int sides = sides_of(dimensions);
    const int row = sides > 1 ? at[1] : 0;
    const int slice = is_array(dimensions) ? at[sides] : sides > 2 ? at[2] : 0;
    return (unsigned char *)(uintptr_t)(image->texels + (uint64_t)at[0] * image->texel_size +
                                        (uint64_t)row * image->row_pitch +
                                        (uint64_t)slice * image->slice_pitch);
}

static uint32_t mode_of(uint32_t sampler)
{
    return sampler & ZC_SAMPLER_ADDRESS_MASK;
}

static int clamp_int(double i, int low, int high)
{
    return i < low ? low : i > high ? high : (int)i;
}

static int clamp_to_mode(double i, uint32_t sampler, int size)
{
    return mode_of(sampler) == ZC_SAMPLER_CLAMP ? clamp_int(i, -1, size)
                                                : clamp_int(i, 0, size - 1);
}

// In texels from the image's begin; modes that repeat it want normalised coordinates.
static float position(float x, uint32_t sampler, int size)
{
    if (!(sampler & ZC_SAMPLER_NORMALIZED))
        return x;
    if (mode_of(sampler) == ZC_SAMPLER_REPEAT)
        return (x - floorf(x)) * (float)size;
    if (mode_of(sampler) == ZC_SAMPLER_MIRRORED_REPEAT)
        return fabsf(x - 2.0f * rintf(0.5f * x)) * (float)size;
    return x * (float)size;
}

static int address(double i, uint32_t sampler, int size)
{
    if (mode_of(sampler) == ZC_SAMPLER_REPEAT)
        return clamp_int(i < 0 ? i + size : i > size - 1 ? i - size : i, 0, size - 1);
    return clamp_to_mode(i, sampler, size);
}

static void read_texel(const struct zc_image *image, enum zc_image_dimensions dimensions,
    const int at[3], double out[4])
{
    if (is_inside(image, dimensions, at)) {
        decode(image, texel_at(image, dimensions, at), out);
        return;
    }
    for (int i = 0; i < 4; i++)
        out[i] = i == 3 && image->border_alpha;
}

static void add_corner(const struct zc_image *image, enum zc_image_dimensions dimensions,
    const int at[3], double weight, double out[4])
{
    double texel[4];
    read_texel(image, dimensions, at, texel);
    for (int i = 0; i < 4; i++)
        out[i] += weight * texel[i];
}

void read_at_floats(const struct zc_image *image, enum zc_image_dimensions dimensions,
    uint32_t sampler, const float at[4], double out[4])
{
    const bool is_linear = (sampler & ZC_SAMPLER_LINEAR) && !is_integer(image);
    const int sides = sides_of(dimensions);
    int texel[3] = {0}, low[3] = {0}, high[3] = {0};
    double weight[3];
    if (is_array(dimensions))
        texel[sides] = clamp_int(rintf(at[sides]), 0, (int)image->layers - 1);
    for (int i = 0; i < sides; i++) {
        const int size = side(image, i);
        const float u = position(at[i], sampler, size), below = floorf(u - 0.5f);
        texel[i] = address(floorf(u), sampler, size);
        low[i] = address(below, sampler, size);
        high[i] = address((double)below + 1, sampler, size);
        weight[i] = isinf(u) ? 0 : u - 0.5f - below;
    }
    if (!is_linear) {
        read_texel(image, dimensions, texel, out);
        return;
    }
    for (int i = 0; i < 4; i++)
        out[i] = 0;
    for (int corner = 0; corner < 1 << sides; corner++) {
        double part = 1;
        for (int i = 0; i < sides; i++) {
            texel[i] = corner >> i & 1 ? high[i] : low[i];
            part *= corner >> i & 1 ? weight[i] : 1 - weight[i];
        }
        add_corner(image, dimensions, texel, part, out);
    }
}

void read_at_integers(const struct zc_image *image, enum zc_image_dimensions dimensions,
    uint32_t sampler, const int at[4], double out[4])
{
    const int sides = sides_of(dimensions);
    int texel[3] = {0};
    for (int i = 0; i < sides; i++)
        texel[i] = clamp_to_mode(at[i], sampler, side(image, i));
    if (is_array(dimensions))
        texel[sides] = clamp_int(at[sides], 0, (int)image->layers - 1);
    read_texel(image, dimensions, texel, out);
}
