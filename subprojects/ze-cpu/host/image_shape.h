// SPDX-License-Identifier: MIT
//
// How large images may be, and how their texels lie in memory: rows one after the other, each at a multiple of the same number of bytes.
#ifndef ZE_CPU_IMAGE_SHAPE_H
#define ZE_CPU_IMAGE_SHAPE_H

#include <image.h>
#include <level_zero/ze_api.h>
#include <stddef.h>

// All 0 on a device without images.
struct zc_image_limits {
    uint32_t side_1d, side_2d, side_3d, layers;
    uint64_t buffer_size; // bytes
};
struct zc_image_limits zc_image_limits(ze_device_handle_t device);

#define ZC_MAX_TEXEL_SIZE 16u

// Bytes from a row of `width` texels to the next.
uint64_t zc_image_row_pitch(uint64_t width, uint32_t texel_size);
// Fills in extents and pitches of an image whose format is there already.
ze_result_t zc_image_shape_fill(
    ze_device_handle_t device, const ze_image_desc_t *desc, struct zc_image *seen);
// Slices or layers, of which an image has only one kind.
uint32_t zc_image_slices(const struct zc_image *seen);
// Bytes from the first texel to the end of the last slice's last row, whose pitch counts.
uint64_t zc_image_bytes(const struct zc_image *seen);

#endif
