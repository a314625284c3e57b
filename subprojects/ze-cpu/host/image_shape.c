// SPDX-License-Identifier: MIT
#include "image_shape.h"

#include "check.h"
#include "device.h"

// What Intel's driver 22.43 reports.
#define MAX_DEPTH 2048u
#define MAX_LAYERS 2048u
#define MAX_BUFFER_SIZE 268434944u

// Of rows: a cache line, and more than any texel has.
#define ROW_ALIGNMENT 64u

struct zc_image_limits zc_image_limits(ze_device_handle_t device)
{
    const uint32_t side = device->persona->image_size;
    if (!side)
        return (struct zc_image_limits){.layers = 0};
    return (struct zc_image_limits){
        .side_1d = side,
        .side_2d = side,
        .side_3d = side < MAX_DEPTH ? side : MAX_DEPTH,
        .layers = MAX_LAYERS,
        .buffer_size = MAX_BUFFER_SIZE,
    };
}

uint64_t zc_image_row_pitch(uint64_t width, uint32_t texel_size)
{
    return (width * texel_size + ROW_ALIGNMENT - 1) / ROW_ALIGNMENT * ROW_ALIGNMENT;
}

uint32_t zc_image_slices(const struct zc_image *seen)
{
    return seen->depth * seen->layers;
}

uint64_t zc_image_bytes(const struct zc_image *seen)
{
    return seen->slice_pitch * zc_image_slices(seen);
}

static bool is_within(uint64_t extent, uint64_t limit)
{
    return extent && extent <= limit;
}

// What the image has none of counts as 1, whatever the description says.
static void fill_extents(const ze_image_desc_t *desc, struct zc_image *seen)
{
    const ze_image_type_t type = desc->type;
    const bool is_array = type == ZE_IMAGE_TYPE_1DARRAY || type == ZE_IMAGE_TYPE_2DARRAY;
    const bool has_height =
        type == ZE_IMAGE_TYPE_2D || type == ZE_IMAGE_TYPE_2DARRAY || type == ZE_IMAGE_TYPE_3D;
    const uint64_t width =
        type == ZE_IMAGE_TYPE_BUFFER ? desc->width / seen->texel_size : desc->width;
    seen->width = width <= UINT32_MAX ? (uint32_t)width : UINT32_MAX;
    seen->height = has_height ? desc->height : 1;
    seen->depth = type == ZE_IMAGE_TYPE_3D ? desc->depth : 1;
    seen->layers = is_array ? desc->arraylevels : 1;
}

static bool fits(
    const ze_image_desc_t *desc, const struct zc_image *seen, const struct zc_image_limits *limits)
{
    const uint32_t side = desc->type == ZE_IMAGE_TYPE_3D ? limits->side_3d
                          : desc->type == ZE_IMAGE_TYPE_1D || desc->type == ZE_IMAGE_TYPE_1DARRAY
                              ? limits->side_1d
                              : limits->side_2d;
    if (desc->type == ZE_IMAGE_TYPE_BUFFER)
        return seen->width && desc->width <= limits->buffer_size;
    return is_within(seen->width, side) && is_within(seen->height, side) &&
           is_within(seen->depth, side) && is_within(seen->layers, limits->layers);
}

ze_result_t zc_image_shape_fill(
    ze_device_handle_t device, const ze_image_desc_t *desc, struct zc_image *seen)
{
    const struct zc_image_limits limits = zc_image_limits(device);
    fill_extents(desc, seen);
    ZC_REQUIRE(fits(desc, seen, &limits), ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
    seen->row_pitch = zc_image_row_pitch(seen->width, seen->texel_size);
    seen->slice_pitch = seen->row_pitch * seen->height;
    ZC_REQUIRE(zc_image_bytes(seen) <= device->max_allocation, ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
    return ZE_RESULT_SUCCESS;
}
