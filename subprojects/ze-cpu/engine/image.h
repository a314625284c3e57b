// SPDX-License-Identifier: MIT
//
// Images and samplers as the host half hands them to kernels.
//
// In the blob of a kernel's arguments an image is the address of a struct zc_image, which the host keeps alive and unchanged while the
// kernel runs, and a sampler is its bits (ZC_SAMPLER_...), widened to 8 bytes. The built-in functions that read and write images see the
// same struct, so that it has no pointers but the texels' and no types but those that OpenCL C has, too.

#ifndef ZE_CPU_IMAGE_H
#define ZE_CPU_IMAGE_H

#ifdef __OPENCL_C_VERSION__
typedef uint uint32_t;
typedef ulong uint64_t;
#else
#include <stdint.h>
#endif

// How a texel's bytes hold its channels, from the lowest address and, within packed formats, from the lowest bit.
enum zc_texel_layout {
    ZC_TEXEL_8 = 1, // each of channel_count channels in a byte
    ZC_TEXEL_16,
    ZC_TEXEL_32,
    ZC_TEXEL_5_6_5,      // 5 bits, 6 bits, 5 bits: a word of 16 bits
    ZC_TEXEL_5_5_5_1,    // a word of 16 bits
    ZC_TEXEL_4_4_4_4,    // a word of 16 bits
    ZC_TEXEL_10_10_10_2, // a word of 32 bits
    ZC_TEXEL_11_11_10,   // a word of 32 bits: floats without sign of 11, 11 and 10 bits
};

// What the bits of a channel mean.
enum zc_texel_type {
    ZC_TEXEL_UINT = 1,
    ZC_TEXEL_SINT,
    ZC_TEXEL_UNORM, // 0 to 1
    ZC_TEXEL_SNORM, // -1 to 1
    ZC_TEXEL_FLOAT, // half where it has 16 bits
};

// Where a component of what a kernel reads comes from. Writing goes the other way: channel c takes the first component whose source is c.
enum zc_swizzle {
    ZC_SWIZZLE_0, // a channel of the texel
    ZC_SWIZZLE_1,
    ZC_SWIZZLE_2,
    ZC_SWIZZLE_3,
    ZC_SWIZZLE_ZERO,
    ZC_SWIZZLE_ONE, // 1.0, and 1 of integers
};

struct zc_image {
    uint64_t texels;               // address of the first
    uint64_t row_pitch;            // bytes from a row to the next
    uint64_t slice_pitch;          // bytes from a slice, or an array's layer, to the next
    uint32_t width, height, depth; // texels; 1 where the image has no such dimension
    uint32_t layers;               // of an array; 1 otherwise
    uint32_t texel_size;           // bytes
    uint32_t channel_count;        // that the texel has, 1 to 4
    uint32_t layout;               // enum zc_texel_layout
    uint32_t type;                 // enum zc_texel_type
    uint32_t swizzle[4];           // enum zc_swizzle of x, y, z, w
    uint32_t border_alpha;         // 1: what lies outside reads (0, 0, 0, 1); 0: (0, 0, 0, 0)
    uint32_t channel_order;        // what get_image_channel_order() says: CLK_R ...
    uint32_t channel_data_type;    // what get_image_channel_data_type() says: CLK_UNORM_INT8 ...
    uint32_t reserved;
};

// Bits of a sampler, as OpenCL C's constants have them: one of each group.
#define ZC_SAMPLER_NORMALIZED 0x1u

#define ZC_SAMPLER_ADDRESS_MASK 0xeu
#define ZC_SAMPLER_ADDRESS_NONE 0x0u
#define ZC_SAMPLER_CLAMP_TO_EDGE 0x2u
#define ZC_SAMPLER_CLAMP 0x4u // to the border
#define ZC_SAMPLER_REPEAT 0x6u
#define ZC_SAMPLER_MIRRORED_REPEAT 0x8u

#define ZC_SAMPLER_NEAREST 0x10u
#define ZC_SAMPLER_LINEAR 0x20u

#endif
