// SPDX-License-Identifier: MIT
//
// What reading and writing images should give: OpenCL C's rules, texel by texel and channel by channel, in double where they don't say
// float.

#ifndef ZC_TEST_IMAGES_REFERENCE_H
#define ZC_TEST_IMAGES_REFERENCE_H

#include <stdbool.h>

#include "engine.h"
#include "image.h"

struct format {
    const char *name;
    struct zc_image part; // what of an image is the format's
};

extern const struct format formats[];
extern const int format_count;

// Coordinates that count besides the layer.
int sides_of(enum zc_image_dimensions dimensions);
bool is_array(enum zc_image_dimensions dimensions);

bool is_integer(const struct zc_image *image);
bool is_inside(const struct zc_image *image, enum zc_image_dimensions dimensions, const int at[3]);
unsigned char *texel_at(
    const struct zc_image *image, enum zc_image_dimensions dimensions, const int at[3]);

// Components as a kernel sees them; integers as they are, without sign if they have none.
void decode(const struct zc_image *image, const unsigned char *texel, double out[4]);
// Of the components that a kernel writes. Floats are floats in double.
void encode_floats(const struct zc_image *image, const double in[4], unsigned char *texel);
void encode_integers(const struct zc_image *image, const int64_t in[4], unsigned char *texel);

void read_at_floats(const struct zc_image *image, enum zc_image_dimensions dimensions,
    uint32_t sampler, const float at[4], double out[4]);
void read_at_integers(const struct zc_image *image, enum zc_image_dimensions dimensions,
    uint32_t sampler, const int at[4], double out[4]);

#endif
