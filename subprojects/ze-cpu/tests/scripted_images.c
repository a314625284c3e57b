// SPDX-License-Identifier: MIT
//
// Kernels of the scripted engine that have images and samplers as arguments.
#include "scripted_kernel.h"

#include <image.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

static const struct zc_image *image_at(const void *blob, size_t index)
{
    const struct zc_image *const *images = blob;
    return images[index];
}

static char *texel_at(const struct zc_image *image, uint64_t x, uint64_t y)
{
    return (char *)(uintptr_t)(image->texels + y * image->row_pitch + x * image->texel_size);
}

// (image, pointer): what kernels see of the image.
static bool run_describe(const struct zc_group *group, const void *blob)
{
    (void)group;
    struct zc_image *out = (struct zc_image *)(uintptr_t)image_at(blob, 1);
    *out = *image_at(blob, 0);
    return true;
}

// (image to read, image to write): each group copies the texel of its number.
static bool run_copy(const struct zc_group *group, const void *blob)
{
    const struct zc_image *from = image_at(blob, 0), *to = image_at(blob, 1);
    const uint64_t x = group->group_id[0], y = group->group_id[1];
    if (x < to->width && y < to->height)
        memcpy(texel_at(to, x, y), texel_at(from, x, y), to->texel_size);
    return true;
}

// (image to write): writes behind the last row.
static bool run_overrun(const struct zc_group *group, const void *blob)
{
    (void)group;
    const struct zc_image *image = image_at(blob, 0);
    *(volatile char *)texel_at(image, 0, image->height) = 1;
    return true;
}

struct sample_blob {
    const struct zc_image *image;
    uint64_t sampler;
    uint64_t *out;
};

// (image, sampler, pointer): the sampler's bits and the first texel's first byte.
static bool run_sample(const struct zc_group *group, const void *blob)
{
    (void)group;
    const struct sample_blob *arguments = blob;
    arguments->out[0] = arguments->sampler;
    arguments->out[1] = (unsigned char)*texel_at(arguments->image, 0, 0);
    return true;
}

struct wait_blob {
    const struct zc_image *image;
    atomic_uint *flag;
};

// (image, pointer): writes 7 to the first byte when the host has set the flag.
static bool run_write_later(const struct zc_group *group, const void *blob)
{
    (void)group;
    const struct timespec moment = {.tv_nsec = 100000};
    const struct wait_blob *arguments = blob;
    while (!atomic_load(arguments->flag))
        nanosleep(&moment, NULL);
    *texel_at(arguments->image, 0, 0) = 7;
    return true;
}

// (image, pointer): may the kernel access the texels, and what it sees of the image? 9: nobody checks it.
static bool run_ask(const struct zc_group *group, const void *blob)
{
    const struct zc_image *image = image_at(blob, 0);
    uint64_t *out = (uint64_t *)(uintptr_t)image_at(blob, 1);
    const uintptr_t last = image->texels + (image->height - 1) * image->row_pitch;
    const struct zc_checker *checker = group->checker;
    struct zc_memory_range range;
    out[0] = checker ? checker->find(checker, image->texels, &range) : 9;
    out[1] = checker ? checker->find(checker, last, &range) : 9;
    out[2] = checker ? checker->find(checker, (uintptr_t)image, &range) : 9;
    return true;
}

#define IMAGE_AT(where, which, access)                                                    \
    {                                                                                     \
        .kind = ZC_ARGUMENT_IMAGE, .size = 8, .offset = where, .image_dimensions = which, \
        .image_access = access                                                            \
    }
#define DESCRIBED(name, which)                 \
    static const struct zc_argument name[] = { \
        IMAGE_AT(0, which, ZC_IMAGE_READ),     \
        POINTER_AT(8),                         \
    }
DESCRIBED(described_1d, ZC_IMAGE_1D);
DESCRIBED(described_1d_array, ZC_IMAGE_1D_ARRAY);
DESCRIBED(described_buffer, ZC_IMAGE_1D_BUFFER);
DESCRIBED(described_2d, ZC_IMAGE_2D);
DESCRIBED(described_2d_array, ZC_IMAGE_2D_ARRAY);
DESCRIBED(described_3d, ZC_IMAGE_3D);

static const struct zc_argument copied[] = {
    IMAGE_AT(0, ZC_IMAGE_2D, ZC_IMAGE_READ),
    IMAGE_AT(8, ZC_IMAGE_2D, ZC_IMAGE_WRITE),
};
static const struct zc_argument sampled[] = {
    IMAGE_AT(0, ZC_IMAGE_2D, ZC_IMAGE_READ),
    {.kind = ZC_ARGUMENT_SAMPLER, .size = 8, .offset = 8},
    POINTER_AT(16),
};
static const struct zc_argument overrun[] = {IMAGE_AT(0, ZC_IMAGE_2D, ZC_IMAGE_WRITE)};
static const struct zc_argument written[] = {
    IMAGE_AT(0, ZC_IMAGE_2D, ZC_IMAGE_WRITE),
    POINTER_AT(8),
};

const struct scripted_kernel scripted_image_kernels[] = {
    {{.name = "image_1d", ARGUMENTS(described_1d, 16)}, run_describe},
    {{.name = "image_1d_array", ARGUMENTS(described_1d_array, 16)}, run_describe},
    {{.name = "image_buffer", ARGUMENTS(described_buffer, 16)}, run_describe},
    {{.name = "image_2d", ARGUMENTS(described_2d, 16)}, run_describe},
    {{.name = "image_2d_array", ARGUMENTS(described_2d_array, 16)}, run_describe},
    {{.name = "image_3d", ARGUMENTS(described_3d, 16)}, run_describe},
    {{.name = "image_ask", ARGUMENTS(described_2d, 16)}, run_ask},
    {{.name = "image_copy", ARGUMENTS(copied, 16)}, run_copy},
    {{.name = "image_overrun", ARGUMENTS(overrun, 8)}, run_overrun},
    {{.name = "image_sample", ARGUMENTS(sampled, 24)}, run_sample},
    {{.name = "image_write_later", ARGUMENTS(written, 16)}, run_write_later},
    {{.name = NULL}, NULL},
};
