// SPDX-License-Identifier: MIT
//
// Texels: what is in the bytes of one, as OpenCL C's section "Conversion rules" has it.
//
// Every layout comes down to up to four channels of so many bits. An image's description does not change while a kernel runs, so it lies in
// constant memory, and prepare.c says so of each load of it: LLVM moves them out of loops over work-items.

#ifndef ZC_BUILTINS_PIXELS_H
#define ZC_BUILTINS_PIXELS_H

#include "builtins.h"

#include "../engine/image.h"
#include "../engine/image_shape.h"

typedef VECTOR(int, 4) int4;
typedef VECTOR(uint, 4) uint4;
typedef VECTOR(uchar, 4) uchar4;
typedef VECTOR(ushort, 4) ushort4;
typedef VECTOR(half, 4) half4;

// A struct that a function returns, or a vector of which one element is chosen, is in registers only where it is inlined.
#define INLINE static inline __attribute__((always_inline))

// Rows may begin anywhere.
typedef float4 __attribute__((aligned(4))) loose_float4;
typedef uchar4 __attribute__((aligned(1))) loose_uchar4;
typedef ushort4 __attribute__((aligned(2))) loose_ushort4;
typedef uint4 __attribute__((aligned(4))) loose_uint4;

typedef const __constant struct zc_image *image;
typedef __global uchar *texel;

INLINE bool is_signed(image what)
{
    return what->type == ZC_TEXEL_SINT || what->type == ZC_TEXEL_SNORM;
}

// Bits of each channel. Those that the texel does not have have one, which is 0.
INLINE uint4 channel_bits(image what)
{
    switch (what->layout) {
    case ZC_TEXEL_8:
        return 8;
    case ZC_TEXEL_16:
        return 16;
    case ZC_TEXEL_5_6_5:
        return (uint4)(5, 6, 5, 1);
    case ZC_TEXEL_5_5_5_1:
        return (uint4)(5, 5, 5, 1);
    case ZC_TEXEL_4_4_4_4:
        return 4;
    case ZC_TEXEL_10_10_10_2:
        return (uint4)(10, 10, 10, 2);
    case ZC_TEXEL_11_11_10:
        return (uint4)(11, 11, 10, 1);
    default:
        return 32;
    }
}

// The largest number of so many bits.
INLINE uint4 highest(uint4 bits)
{
    return (uint4)0xffffffffu >> (32 - bits);
}

// Where each channel begins in a packed word.
INLINE uint4 channel_shifts(uint4 bits)
{
    return (uint4)(0, bits.x, bits.x + bits.y, bits.x + bits.y + bits.z);
}

INLINE bool is_packed(image what)
{
    return what->layout >= ZC_TEXEL_5_6_5;
}

#define LOAD_CHANNELS(type)                                                                       \
    INLINE uint4 load_##type##s(image what, texel at)                                             \
    {                                                                                             \
        const __global type *channels = (const __global type *)at;                                \
        const uint count = what->channel_count;                                                   \
        if (count == 4)                                                                           \
            return __builtin_convertvector(*(const __global loose_##type##4 *)at, uint4);         \
        return (uint4)(channels[0], count > 1 ? channels[1] : 0, count > 2 ? channels[2] : 0, 0); \
    }
LOAD_CHANNELS(uchar)
LOAD_CHANNELS(ushort)
LOAD_CHANNELS(uint)

INLINE uint4 load_packed(image what, texel at)
{
    const uint word =
        what->texel_size == 2 ? *(const __global ushort *)at : *(const __global uint *)at;
    const uint4 bits = channel_bits(what);
    const uint4 all = ((uint4)word >> channel_shifts(bits)) & highest(bits);
    return (uint4)(all.xyz, what->channel_count > 3 ? all.w : 0);
}

INLINE uint4 load_bits(image what, texel at)
{
    if (is_packed(what))
        return load_packed(what, at);
    if (what->layout == ZC_TEXEL_8)
        return load_uchars(what, at);
    if (what->layout == ZC_TEXEL_16)
        return load_ushorts(what, at);
    return load_uints(what, at);
}

INLINE int4 with_sign(uint4 value, uint4 bits)
{
    return __builtin_astype(value << (32 - bits), int4) >> __builtin_astype(32 - bits, int4);
}

INLINE int4 load_integers(image what, texel at)
{
    const uint4 bits = load_bits(what, at);
    return is_signed(what) ? with_sign(bits, channel_bits(what)) : __builtin_astype(bits, int4);
}

// ---- floats of less than 32 bits ----

INLINE float4 from_halfs(uint4 bits)
{
    const ushort4 halfs = __builtin_convertvector(bits, ushort4);
    return __builtin_convertvector(__builtin_astype(halfs, half4), float4);
}

// A float of 10 or 11 bits is a half without sign and the last bits.
INLINE float4 from_small_floats(uint4 bits)
{
    return from_halfs(bits << (uint4)(4, 4, 5, 0));
}

INLINE uint to_half(float x)
{
    return __builtin_astype((half)x, ushort);
}

// To so many bits behind the binary point, to the nearest, to even ones from the middle. What is too large for a number is the largest one.
INLINE uint to_small_float(float x, uint fraction)
{
    const uint exponent = 31u << fraction;
    const uint bits = __builtin_astype(x, uint), dropped = 23 - fraction;
    if (x != x)
        return exponent | 1;
    if (!(x > 0))
        return 0;
    if (bits == 0x7f800000)
        return exponent;
    if (x < 0x1p-14f) { // in steps of the smallest number, the last of which is 2^-14 again
        const float steps = x * (float)(1u << (14 + fraction));
        return __builtin_astype(steps + 0x1p23f, uint) & ((2u << fraction) - 1);
    }
    const uint rounded = bits + (1u << (dropped - 1)) - 1 + ((bits >> dropped) & 1);
    const uint result = (rounded >> dropped) - (112u << fraction);
    return result < exponent ? result : exponent - 1;
}

INLINE float4 load_own_floats(image what, texel at)
{
    const uint4 bits = load_bits(what, at);
    if (what->layout == ZC_TEXEL_16)
        return from_halfs(bits);
    if (what->layout == ZC_TEXEL_11_11_10)
        return from_small_floats(bits);
    return __builtin_astype(bits, float4);
}

// ---- channels as numbers ----

INLINE float4 to_float4(int4 x)
{
    return __builtin_convertvector(x, float4);
}

INLINE float4 unsigned_to_float4(uint4 x)
{
    return __builtin_convertvector(x, float4);
}

INLINE float4 load_signed(image what, texel at)
{
    const uint4 bits = channel_bits(what);
    const float4 numbers = to_float4(with_sign(load_bits(what, at), bits));
    if (what->type != ZC_TEXEL_SNORM)
        return numbers;
    const uint4 scale = bits == 1 ? 1 : highest(bits) >> 1;
    const float4 result = numbers / unsigned_to_float4(scale);
    return result > -1 ? result : -1;
}

INLINE float4 load_unsigned(image what, texel at)
{
    const float4 numbers = unsigned_to_float4(load_bits(what, at));
    return what->type == ZC_TEXEL_UNORM ? numbers / unsigned_to_float4(highest(channel_bits(what)))
                                        : numbers;
}

INLINE float4 load_floats(image what, texel at)
{
    if (what->type == ZC_TEXEL_FLOAT)
        return load_own_floats(what, at);
    return is_signed(what) ? load_signed(what, at) : load_unsigned(what, at);
}

// ---- writing ----

#define STORE_CHANNELS(type)                       \
    do {                                           \
        ((__global type *)at)[0] = channels.x;     \
        if (what->channel_count > 1)               \
            ((__global type *)at)[1] = channels.y; \
        if (what->channel_count > 2)               \
            ((__global type *)at)[2] = channels.z; \
        if (what->channel_count > 3)               \
            ((__global type *)at)[3] = channels.w; \
    } while (0)

INLINE void store_packed(image what, texel at, uint4 channels)
{
    const uint4 bits = channel_bits(what);
    const uint4 parts = (channels & highest(bits)) << channel_shifts(bits);
    const uint word = parts.x | parts.y | parts.z | (what->channel_count > 3 ? parts.w : 0);
    if (what->texel_size == 2)
        *(__global ushort *)at = word;
    else
        *(__global uint *)at = word;
}

INLINE void store_bits(image what, texel at, uint4 channels)
{
    if (is_packed(what))
        store_packed(what, at, channels);
    else if (what->layout == ZC_TEXEL_8)
        STORE_CHANNELS(uchar);
    else if (what->layout == ZC_TEXEL_16)
        STORE_CHANNELS(ushort);
    else
        STORE_CHANNELS(uint);
}

INLINE uint saturate_signed(int x, uint bits)
{
    const int high = 0x7fffffff >> (32 - bits);
    return x > high ? high : x < -high - 1 ? -high - 1 : x;
}

INLINE uint saturate_unsigned(uint x, uint bits)
{
    const uint high = 0xffffffffu >> (32 - bits);
    return x > high ? high : x;
}

INLINE void store_integers(image what, texel at, int4 value)
{
    const uint4 bits = channel_bits(what);
    uint4 channels;
    for (int i = 0; i < 4; i++)
        channels[i] = is_signed(what) ? saturate_signed(value[i], bits[i])
                                      : saturate_unsigned(value[i], bits[i]);
    store_bits(what, at, channels);
}

// To the nearest of the whole numbers from `low` up to, and without, `end`. NaN becomes 0.
INLINE uint quantise(float x, float low, float end)
{
    const float rounded = __builtin_rintf(x);
    if (rounded != rounded)
        return 0;
    if (rounded >= end)
        return (uint)((ulong)end - 1);
    return (uint)(long)(rounded > low ? rounded : low);
}

INLINE uint quantise_channel(image what, float x, uint bits)
{
    const uint high = 0xffffffffu >> (32 - bits);
    const bool is_normalised = what->type == ZC_TEXEL_UNORM || what->type == ZC_TEXEL_SNORM;
    if (!is_signed(what))
        return quantise(is_normalised ? x * high : x, 0, (float)high + (bits < 24));
    const float end = (float)(high >> 1) + (bits < 24);
    return quantise(is_normalised ? x * (high >> 1) : x, -end, end);
}

INLINE uint4 to_own_floats(image what, float4 value)
{
    if (what->layout == ZC_TEXEL_16)
        return (uint4)(to_half(value.x), to_half(value.y), to_half(value.z), to_half(value.w));
    if (what->layout == ZC_TEXEL_11_11_10)
        return (uint4)(to_small_float(value.x, 6), to_small_float(value.y, 6),
            to_small_float(value.z, 5), 0);
    return __builtin_astype(value, uint4);
}

INLINE void store_floats(image what, texel at, float4 value)
{
    uint4 channels;
    if (what->type == ZC_TEXEL_FLOAT) {
        channels = to_own_floats(what, value);
    } else {
        const uint4 bits = channel_bits(what);
        for (int i = 0; i < 4; i++)
            channels[i] = quantise_channel(what, value[i], bits[i]);
    }
    store_bits(what, at, channels);
}

// ---- swizzles ----

// 0: four channels, red, green, blue, alpha.
INLINE uint disorder(image what)
{
    return (what->channel_count ^ 4) | (what->swizzle[0] ^ 0) | (what->swizzle[1] ^ 1) |
           (what->swizzle[2] ^ 2) | (what->swizzle[3] ^ 3);
}

INLINE bool is_in_order(image what)
{
    return disorder(what) == 0;
}

INLINE uint4 sources(image what)
{
    return *(const __constant loose_uint4 *)what->swizzle;
}

// What components read, and what channels are written: the first component that reads it.
#define SWIZZLES(vector, prefix)                                         \
    INLINE vector prefix##_components(image what, vector channels)       \
    {                                                                    \
        const uint4 from = sources(what);                                \
        const vector zero = 0, one = 1;                                  \
        if (is_in_order(what))                                           \
            return channels;                                             \
        return from == ZC_SWIZZLE_0      ? channels.xxxx                 \
               : from == ZC_SWIZZLE_1    ? channels.yyyy                 \
               : from == ZC_SWIZZLE_2    ? channels.zzzz                 \
               : from == ZC_SWIZZLE_3    ? channels.wwww                 \
               : from == ZC_SWIZZLE_ZERO ? zero                          \
                                         : one;                          \
    }                                                                    \
    INLINE vector prefix##_channels(image what, vector value)            \
    {                                                                    \
        const uint4 from = sources(what), channel = (uint4)(0, 1, 2, 3); \
        const vector zero = 0;                                           \
        return channel == from.xxxx   ? value.xxxx                       \
               : channel == from.yyyy ? value.yyyy                       \
               : channel == from.zzzz ? value.zzzz                       \
               : channel == from.wwww ? value.wwww                       \
                                      : zero;                            \
    }

SWIZZLES(float4, float)
SWIZZLES(int4, int)

// ---- the two formats that most images have ----

// Red, green, blue, alpha: a byte or a float each.
INLINE bool is_rgba(image what, uint layout, uint type)
{
    return ((what->layout ^ layout) | (what->type ^ type) | disorder(what)) == 0;
}

INLINE bool is_rgba_of_bytes(image what)
{
    return is_rgba(what, ZC_TEXEL_8, ZC_TEXEL_UNORM);
}

INLINE bool is_rgba_of_floats(image what)
{
    return is_rgba(what, ZC_TEXEL_32, ZC_TEXEL_FLOAT);
}

INLINE float4 load_bytes(texel at)
{
    return __builtin_convertvector(*(const __global loose_uchar4 *)at, float4) / 255;
}

// Adding 2^23 rounds a number below that to a whole one, which then is in the lowest bits.
INLINE void store_bytes(texel at, float4 value)
{
    const float4 scaled = value * 255;
    const float4 positive = scaled > 0 ? scaled : 0;
    const float4 fitting = positive < 255 ? positive : 255;
    const uint4 whole = __builtin_astype(fitting + 0x1p23f, uint4);
    *(__global loose_uchar4 *)at = __builtin_convertvector(whole & 0xff, uchar4);
}

#endif
