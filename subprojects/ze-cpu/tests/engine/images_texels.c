// SPDX-License-Identifier: MIT
//
// What is in the bits of a texel.

#include "images_reference.h"

#include <math.h>

#define RGBA       \
    {              \
        0, 1, 2, 3 \
    }
#define BGRA       \
    {              \
        2, 1, 0, 3 \
    }
#define RGB                     \
    {                           \
        0, 1, 2, ZC_SWIZZLE_ONE \
    }
#define RG                                    \
    {                                         \
        0, 1, ZC_SWIZZLE_ZERO, ZC_SWIZZLE_ONE \
    }
#define R                                                   \
    {                                                       \
        0, ZC_SWIZZLE_ZERO, ZC_SWIZZLE_ZERO, ZC_SWIZZLE_ONE \
    }
#define A                                                    \
    {                                                        \
        ZC_SWIZZLE_ZERO, ZC_SWIZZLE_ZERO, ZC_SWIZZLE_ZERO, 0 \
    }
#define INTENSITY  \
    {              \
        0, 0, 0, 0 \
    }

#define FORMAT(bits, kind, count, size, order, alpha)                              \
    {                                                                              \
#bits " " #kind " " #count " " #order,                                     \
        {                                                                          \
            .texel_size = size, .channel_count = count, .layout = ZC_TEXEL_##bits, \
            .type = ZC_TEXEL_##kind, .swizzle = order, .border_alpha = alpha       \
        }                                                                          \
    }
#define FORMATS(bits, kind, size)                                                        \
    FORMAT(bits, kind, 4, 4 * size, RGBA, 0), FORMAT(bits, kind, 4, 4 * size, BGRA, 0),  \
        FORMAT(bits, kind, 3, 3 * size, RGB, 1), FORMAT(bits, kind, 2, 2 * size, RG, 1), \
        FORMAT(bits, kind, 1, size, R, 1), FORMAT(bits, kind, 1, size, A, 0),            \
        FORMAT(bits, kind, 1, size, INTENSITY, 0)

const struct format formats[] = {
    FORMATS(8, UINT, 1),
    FORMATS(8, SINT, 1),
    FORMATS(8, UNORM, 1),
    FORMATS(8, SNORM, 1),
    FORMATS(16, UINT, 2),
    FORMATS(16, SINT, 2),
    FORMATS(16, UNORM, 2),
    FORMATS(16, SNORM, 2),
    FORMATS(16, FLOAT, 2),
    FORMATS(32, UINT, 4),
    FORMATS(32, SINT, 4),
    FORMATS(32, FLOAT, 4),
    FORMAT(32, UNORM, 4, 16, RGBA, 0),
    FORMAT(32, SNORM, 2, 8, RG, 1),
    FORMAT(5_6_5, UNORM, 3, 2, RGB, 1),
    FORMAT(5_5_5_1, UNORM, 4, 2, RGBA, 0),
    FORMAT(4_4_4_4, UNORM, 4, 2, BGRA, 0),
    FORMAT(10_10_10_2, UNORM, 4, 4, RGBA, 0),
    FORMAT(10_10_10_2, SNORM, 4, 4, RGBA, 0),
    FORMAT(10_10_10_2, UINT, 4, 4, RGBA, 0),
    FORMAT(10_10_10_2, SINT, 4, 4, BGRA, 0),
    FORMAT(11_11_10, FLOAT, 3, 4, RGB, 1),
};
const int format_count = sizeof(formats) / sizeof(formats[0]);

static unsigned width_of(const struct zc_image *image, unsigned channel)
{
    static const unsigned char packed[][4] = {[ZC_TEXEL_5_6_5] = {5, 6, 5},
        [ZC_TEXEL_5_5_5_1] = {5, 5, 5, 1},
        [ZC_TEXEL_4_4_4_4] = {4, 4, 4, 4},
        [ZC_TEXEL_10_10_10_2] = {10, 10, 10, 2},
        [ZC_TEXEL_11_11_10] = {11, 11, 10}};
    switch (image->layout) {
    case ZC_TEXEL_8:
        return 8;
    case ZC_TEXEL_16:
        return 16;
    case ZC_TEXEL_32:
        return 32;
    default:
        return packed[image->layout][channel];
    }
}

static unsigned begin_of(const struct zc_image *image, unsigned channel)
{
    unsigned begin = 0;
    for (unsigned i = 0; i < channel; i++)
        begin += width_of(image, i);
    return begin;
}

static uint32_t get_bits(const unsigned char *texel, unsigned begin, unsigned width)
{
    uint32_t bits = 0;
    for (unsigned i = 0; i < width; i++)
        bits |= (uint32_t)(texel[(begin + i) / 8] >> (begin + i) % 8 & 1) << i;
    return bits;
}

static void put_bits(unsigned char *texel, unsigned begin, unsigned width, uint32_t bits)
{
    for (unsigned i = 0; i < width; i++) {
        unsigned char *byte = &texel[(begin + i) / 8];
        const unsigned char mask = (unsigned char)(1u << (begin + i) % 8);
        *byte = (unsigned char)(bits >> i & 1 ? *byte | mask : *byte & ~mask);
    }
}

struct float_format {
    int exponent, fraction;
    bool has_sign;
};

static struct float_format float_format_of(unsigned width)
{
    switch (width) {
    case 16:
        return (struct float_format){5, 10, true};
    case 11:
        return (struct float_format){5, 6, false};
    case 10:
        return (struct float_format){5, 5, false};
    default:
        return (struct float_format){8, 23, true};
    }
}

static double decode_float(uint32_t bits, unsigned width)
{
    const struct float_format f = float_format_of(width);
    const int bias = (1 << (f.exponent - 1)) - 1;
    const uint32_t fraction = bits & ((1u << f.fraction) - 1);
    const int exponent = (int)(bits >> f.fraction) & ((1 << f.exponent) - 1);
    const double sign = f.has_sign && bits >> (width - 1) ? -1 : 1;
    if (exponent == (1 << f.exponent) - 1)
        return fraction ? NAN : sign * INFINITY;
    if (exponent == 0)
        return sign * ldexp(fraction, 1 - bias - f.fraction);
    return sign * ldexp(1 + ldexp(fraction, -f.fraction), exponent - bias);
}

// What lies beyond the largest number is infinite where there is a sign, and that number where there is none.
static uint32_t encode_float(double x, unsigned width)
{
    const struct float_format f = float_format_of(width);
    const int bias = (1 << (f.exponent - 1)) - 1;
    const uint32_t infinite = ((1u << f.exponent) - 1) << f.fraction;
    const uint32_t sign = f.has_sign && signbit(x) ? 1u << (width - 1) : 0;
    if (isnan(x))
        return infinite | 1;
    if (!f.has_sign && x <= 0)
        return 0;
    x = fabs(x);
    if (isinf(x))
        return sign | infinite;
    const int exponent = x == 0 ? 1 - bias : ilogb(x) < 1 - bias ? 1 - bias : ilogb(x);
    const double steps = nearbyint(ldexp(x, f.fraction - exponent));
    const double bits = steps + ldexp(exponent + bias - 1, f.fraction);
    if (bits >= infinite)
        return f.has_sign ? sign | infinite : infinite - 1;
    return sign | (uint32_t)bits;
}

static double highest(const struct zc_image *image, unsigned width)
{
    const bool has_sign = image->type == ZC_TEXEL_SINT || image->type == ZC_TEXEL_SNORM;
    return ldexp(1, (int)width - has_sign) - 1;
}

static double decode_channel(const struct zc_image *image, uint32_t bits, unsigned width)
{
    const double number = bits;
    const double with_sign = bits >> (width - 1) ? number - ldexp(1, (int)width) : number;
    switch (image->type) {
    case ZC_TEXEL_UINT:
        return number;
    case ZC_TEXEL_SINT:
        return with_sign;
    case ZC_TEXEL_UNORM:
        return number / highest(image, width);
    case ZC_TEXEL_SNORM:
        return fmax(with_sign / highest(image, width), -1);
    default:
        return decode_float(bits, width);
    }
}

void decode(const struct zc_image *image, const unsigned char *texel, double out[4])
{
    for (int i = 0; i < 4; i++) {
        const unsigned source = image->swizzle[i];
        out[i] = source == ZC_SWIZZLE_ONE;
        if (source > ZC_SWIZZLE_3)
            continue;
        const unsigned width = width_of(image, source);
        out[i] = decode_channel(image, get_bits(texel, begin_of(image, source), width), width);
    }
}

static uint32_t encode_channel(const struct zc_image *image, double x, unsigned width)
{
    const double high = highest(image, width);
    const bool has_sign = image->type == ZC_TEXEL_SINT || image->type == ZC_TEXEL_SNORM;
    if (image->type == ZC_TEXEL_FLOAT)
        return encode_float(x, width);
    const double scaled = nearbyintf((float)x * (float)high); // OpenCL C says so
    if (isnan(scaled))
        return 0;
    return (uint32_t)(int64_t)fmin(fmax(scaled, has_sign ? -high - 1 : 0), high);
}

// The first component that a channel is read for; -1: none.
static int component_of(const struct zc_image *image, unsigned channel)
{
    for (int i = 0; i < 4; i++) {
        if (image->swizzle[i] == channel)
            return i;
    }
    return -1;
}

void encode_floats(const struct zc_image *image, const double in[4], unsigned char *texel)
{
    for (unsigned c = 0; c < image->channel_count; c++) {
        const int component = component_of(image, c);
        const double x = component < 0 ? 0 : in[component];
        const unsigned width = width_of(image, c);
        put_bits(texel, begin_of(image, c), width, encode_channel(image, x, width));
    }
}

void encode_integers(const struct zc_image *image, const int64_t in[4], unsigned char *texel)
{
    const bool has_sign = image->type == ZC_TEXEL_SINT;
    for (unsigned c = 0; c < image->channel_count; c++) {
        const int component = component_of(image, c);
        const unsigned width = width_of(image, c);
        const int64_t high = (int64_t)highest(image, width), low = has_sign ? -high - 1 : 0;
        const int64_t x = component < 0 ? 0 : in[component];
        put_bits(texel, begin_of(image, c), width, (uint32_t)(x < low ? low : x > high ? high : x));
    }
}
