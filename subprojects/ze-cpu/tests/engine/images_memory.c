// SPDX-License-Identifier: MIT

#include "images_memory.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE 4096
// Of rows and slices, not a multiple of any texel.
#define PADDING 12

uint32_t random_bits(void)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 32);
}

static void fill_texel(const struct zc_image *image, unsigned char *texel)
{
    double components[4];
    bool is_good = false;
    while (!is_good) {
        for (uint32_t i = 0; i < image->texel_size; i++)
            texel[i] = (unsigned char)random_bits();
        decode(image, texel, components);
        is_good = true;
        for (int i = 0; i < 4 && image->type == ZC_TEXEL_FLOAT; i++)
            is_good &= fabs(components[i]) <= 100; // and no NaN
    }
}

static void fill(const struct picture *picture)
{
    const struct zc_image *image = &picture->image;
    const uint32_t slices = is_array(picture->dimensions) ? image->layers : image->depth;
    for (uint32_t z = 0; z < slices; z++) {
        for (uint32_t y = 0; y < image->height; y++) {
            for (uint32_t x = 0; x < image->width; x++)
                fill_texel(image,
                    (unsigned char *)(uintptr_t)(image->texels + z * image->slice_pitch +
                                                 y * image->row_pitch + x * image->texel_size));
        }
    }
}

static void set_sides(struct picture *picture, struct sides sides)
{
    struct zc_image *image = &picture->image;
    const bool array = is_array(picture->dimensions);
    const int count = sides_of(picture->dimensions);
    image->width = sides.width;
    image->height = count > 1 ? sides.height : 1;
    image->depth = count > 2 ? sides.depth : 1;
    image->layers = array ? sides.layers : 1;
    image->row_pitch = image->width * image->texel_size + PADDING;
    image->slice_pitch = image->height * image->row_pitch + PADDING;
    // What is behind the last texel is not the image's.
    picture->size = (array ? image->layers - 1 : image->depth - 1) * image->slice_pitch +
                    (image->height - 1) * image->row_pitch + image->width * image->texel_size;
}

struct picture make_picture(const struct format *format, enum zc_image_dimensions dimensions,
    struct sides sides, bool at_end)
{
    struct picture picture = {.image = format->part, .dimensions = dimensions};
    set_sides(&picture, sides);
    const size_t inner = (picture.size + PAGE - 1) / PAGE * PAGE;
    picture.map_size = inner + 2 * PAGE;
    picture.map = mmap(NULL, picture.map_size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert(picture.map != MAP_FAILED);
    char *begin = (char *)picture.map + PAGE;
    const int result = mprotect(begin, inner, PROT_READ | PROT_WRITE);
    assert(result == 0);
    (void)result;
    picture.image.texels = (uintptr_t)(at_end ? begin + inner - picture.size : begin);
    fill(&picture);
    return picture;
}

static const struct format *find_format(const char *name)
{
    for (int i = 0; i < format_count; i++) {
        if (strcmp(formats[i].name, name) == 0)
            return &formats[i];
    }
    assert(!"there is such a format");
    return NULL;
}

struct picture make_square(const char *format, enum zc_image_dimensions dimensions)
{
    const struct sides sides = {SQUARE_SIDE, SQUARE_SIDE, 3, 4};
    return make_picture(find_format(format), dimensions, sides, true);
}

void free_picture(struct picture *picture)
{
    munmap(picture->map, picture->map_size);
}
