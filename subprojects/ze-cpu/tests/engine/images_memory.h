// SPDX-License-Identifier: MIT
//
// Images for tests, between pages that nobody may touch.

#ifndef ZC_TEST_IMAGES_MEMORY_H
#define ZC_TEST_IMAGES_MEMORY_H

#include "images_reference.h"

struct sides {
    uint32_t width, height, depth, layers;
};

struct picture {
    struct zc_image image;
    enum zc_image_dimensions dimensions;
    void *map;
    size_t map_size;
    size_t size; // of the texels
};

uint32_t random_bits(void);
// Floats are numbers up to 100. The texels end at a page's end, or begin at a page's begin.
struct picture make_picture(const struct format *format, enum zc_image_dimensions dimensions,
    struct sides sides, bool at_end);
// Of the format of that name, in a memory that ends with it.
#define SQUARE_SIDE 16
struct picture make_square(const char *format, enum zc_image_dimensions dimensions);
void free_picture(struct picture *picture);

#endif
