// SPDX-License-Identifier: MIT
//
// Formats of images: which there are, and what kernels see of them.
#ifndef ZE_CPU_IMAGE_FORMAT_H
#define ZE_CPU_IMAGE_FORMAT_H

#include <image.h>
#include <level_zero/ze_api.h>
#include <stdbool.h>

// Fills in what depends on the format. False: images don't have it.
bool zc_image_format_fill(const ze_image_format_t *format, struct zc_image *seen);
// May samplers blend texels of the image?
bool zc_image_is_filtered(const struct zc_image *seen);

#endif
