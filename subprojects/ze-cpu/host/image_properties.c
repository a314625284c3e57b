// SPDX-License-Identifier: MIT
//
// What is reported of images, and calls that have nothing to do: a processor reaches all texels at any time.
#include "check.h"
#include "context.h"
#include "device.h"
#include "image_handle.h"
#include "image_format.h"
#include "image_shape.h"
#include "own.h"

#include <ze_newer.h>

static void fill_pitched(void *chain, const struct zc_image_limits *limits)
{
    ze_newer_device_pitched_alloc_exp_properties_t *pitched =
        zc_find_properties(chain, ZE_NEWER_STRUCTURE_TYPE_PITCHED_ALLOC_DEVICE_EXP_PROPERTIES);
    if (!pitched || !zc_settings.newer)
        return;
    pitched->maxImageLinearWidth = limits->side_2d;
    pitched->maxImageLinearHeight = limits->side_2d;
}

ze_result_t zeDeviceGetImageProperties(
    ze_device_handle_t device, ze_device_image_properties_t *properties)
{
    ZC_REQUIRE_HANDLE(device);
    ZC_REQUIRE_POINTER(properties);
    const struct zc_image_limits limits = zc_image_limits(device);
    const bool has_images = limits.side_2d > 0;
    *properties = (ze_device_image_properties_t){
        .stype = properties->stype,
        .pNext = properties->pNext,
        .maxImageDims1D = limits.side_1d,
        .maxImageDims2D = limits.side_2d,
        .maxImageDims3D = limits.side_3d,
        .maxImageBufferSize = limits.buffer_size,
        .maxImageArraySlices = limits.layers,
        .maxSamplers = has_images ? 16 : 0,
        .maxReadImageArgs = has_images ? 128 : 0,
        .maxWriteImageArgs = has_images ? 128 : 0,
    };
    fill_pitched(properties->pNext, &limits);
    return ZE_RESULT_SUCCESS;
}

static void fill_support(void *chain, bool supported)
{
    ze_newer_image_format_support_ext_properties_t *support =
        zc_find_properties(chain, ZE_NEWER_STRUCTURE_TYPE_IMAGE_FORMAT_SUPPORT_EXT_PROPERTIES);
    if (support && zc_settings.newer)
        support->supported = supported;
}

// A format that images don't have is answered with no flags, as the specification says.
ze_result_t zeImageGetProperties(
    ze_device_handle_t device, const ze_image_desc_t *desc, ze_image_properties_t *properties)
{
    ZC_REQUIRE_HANDLE(device);
    ZC_REQUIRE_POINTER(desc);
    ZC_REQUIRE_POINTER(properties);
    ZC_REQUIRE_FLAGS(desc->flags, ZE_IMAGE_FLAG_KERNEL_WRITE | ZE_IMAGE_FLAG_BIAS_UNCACHED);
    ZC_REQUIRE((uint32_t)desc->type <= ZE_IMAGE_TYPE_BUFFER, ZE_RESULT_ERROR_INVALID_ENUMERATION);
    struct zc_image seen = {.texels = 0};
    const bool supported =
        device->persona->image_size && zc_image_format_fill(&desc->format, &seen);
    properties->samplerFilterFlags = 0;
    if (supported)
        properties->samplerFilterFlags =
            ZE_IMAGE_SAMPLER_FILTER_FLAG_POINT |
            (zc_image_is_filtered(&seen) ? ZE_IMAGE_SAMPLER_FILTER_FLAG_LINEAR : 0u);
    fill_support(properties->pNext, supported);
    return ZE_RESULT_SUCCESS;
}

// Views have the number of their image, and pitched images that of the program's allocation.
static ze_result_t find_id(ze_image_handle_t image, uint64_t *id)
{
    pthread_mutex_lock(&image->map->lock);
    const struct zc_allocation *found =
        zc_memory_map_find(image->map, (const void *)(uintptr_t)image->seen.texels);
    if (found)
        *id = found->id;
    pthread_mutex_unlock(&image->map->lock);
    ZC_REQUIRE(found, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeImageGetAllocPropertiesExt(ze_context_handle_t context, ze_image_handle_t image,
    ze_image_allocation_ext_properties_t *properties)
{
    ZC_REQUIRE_HANDLE(context);
    ZC_REQUIRE_HANDLE(image);
    ZC_REQUIRE_POINTER(properties);
    ze_image_handle_t held = zc_image_hold(image);
    ZC_REQUIRE(held, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    const ze_result_t result = find_id(held, &properties->id);
    zc_image_unref(held);
    return result;
}

static void fill_memory(const struct zc_image *seen, ze_image_memory_properties_exp_t *properties)
{
    properties->size = zc_image_bytes(seen);
    properties->rowPitch = seen->row_pitch;
    properties->slicePitch = seen->slice_pitch;
}

ze_result_t zeImageGetMemoryPropertiesExp(
    ze_image_handle_t image, ze_image_memory_properties_exp_t *properties)
{
    ZC_REQUIRE_HANDLE(image);
    ZC_REQUIRE_POINTER(properties);
    ze_image_handle_t held = zc_image_hold(image);
    ZC_REQUIRE(held, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    fill_memory(&held->seen, properties);
    zc_image_unref(held);
    return ZE_RESULT_SUCCESS;
}

// Kernels reach images by arguments only, which makes them resident.
ze_result_t zeContextMakeImageResident(
    ze_context_handle_t context, ze_device_handle_t device, ze_image_handle_t image)
{
    ZC_REQUIRE_HANDLE(context);
    ZC_REQUIRE_HANDLE(device);
    ZC_REQUIRE_HANDLE(image);
    ze_image_handle_t held = zc_image_hold(image);
    ZC_REQUIRE(held, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    zc_image_unref(held);
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeContextEvictImage(
    ze_context_handle_t context, ze_device_handle_t device, ze_image_handle_t image)
{
    return zeContextMakeImageResident(context, device, image);
}

ze_result_t zc_mem_get_pitch(ze_context_handle_t context, ze_device_handle_t device, size_t width,
    size_t height, unsigned int texel_size, size_t *pitch) ZC_ENTRY_POINT(zeMemGetPitchFor2dImage);

ze_result_t zc_mem_get_pitch(ze_context_handle_t context, ze_device_handle_t device, size_t width,
    size_t height, unsigned int texel_size, size_t *pitch)
{
    ZC_REQUIRE_NEWER();
    ZC_REQUIRE_HANDLE(context);
    ZC_REQUIRE_HANDLE(device);
    ZC_REQUIRE_POINTER(pitch);
    const uint32_t limit = zc_image_limits(device).side_2d;
    ZC_REQUIRE(limit, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
    ZC_REQUIRE(texel_size && texel_size <= ZC_MAX_TEXEL_SIZE, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    ZC_REQUIRE(
        width && width <= limit && height && height <= limit, ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
    *pitch = (size_t)zc_image_row_pitch(width, texel_size);
    return ZE_RESULT_SUCCESS;
}
