// SPDX-License-Identifier: MIT
#include "image_argument.h"

#include "check.h"
#include "sampler.h"

#include <string.h>

static enum zc_image_dimensions dimensions_of(ze_image_type_t type)
{
    switch (type) {
    case ZE_IMAGE_TYPE_1D:
        return ZC_IMAGE_1D;
    case ZE_IMAGE_TYPE_1DARRAY:
        return ZC_IMAGE_1D_ARRAY;
    case ZE_IMAGE_TYPE_2DARRAY:
        return ZC_IMAGE_2D_ARRAY;
    case ZE_IMAGE_TYPE_3D:
        return ZC_IMAGE_3D;
    case ZE_IMAGE_TYPE_BUFFER:
        return ZC_IMAGE_1D_BUFFER;
    default:
        return ZC_IMAGE_2D;
    }
}

// Intel's driver lets kernels write to images that were not created for it.
static ze_result_t check_image(
    const struct zc_argument *argument, const struct _ze_image_handle_t *image)
{
    const bool writes = argument->image_access & ZC_IMAGE_WRITE;
    ZC_REQUIRE(
        dimensions_of(image->type) == argument->image_dimensions, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    ZC_REQUIRE(
        !writes || image->kernels_write || !zc_settings.strict, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    return ZE_RESULT_SUCCESS;
}

static void put(const struct zc_argument *argument, uint64_t value, char *blob)
{
    memcpy(blob + argument->offset, &value, sizeof value);
}

static ze_result_t set_image(const struct zc_argument *argument, const void *handle, char *blob)
{
    ze_image_handle_t image = zc_image_hold(handle);
    ZC_REQUIRE(image, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    const ze_result_t checked = check_image(argument, image);
    if (checked) {
        zc_image_unref(image);
        return checked;
    }
    zc_image_argument_clear(argument, blob);
    put(argument, (uintptr_t)image, blob);
    return ZE_RESULT_SUCCESS;
}

static ze_result_t set_sampler(const struct zc_argument *argument, const void *handle, char *blob)
{
    uint32_t bits = 0;
    ZC_REQUIRE(zc_sampler_read(handle, &bits), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    put(argument, bits, blob);
    return ZE_RESULT_SUCCESS;
}

ze_result_t zc_image_argument_set(const struct zc_argument *argument, const void *value, char *blob)
{
    const void *handle;
    memcpy(&handle, value, sizeof handle);
    ZC_REQUIRE_HANDLE(handle);
    return argument->kind == ZC_ARGUMENT_IMAGE ? set_image(argument, handle, blob)
                                               : set_sampler(argument, handle, blob);
}

ze_image_handle_t zc_image_argument_get(const struct zc_argument *argument, const char *blob)
{
    ze_image_handle_t image;
    memcpy(&image, blob + argument->offset, sizeof image);
    return image;
}

void zc_image_argument_clear(const struct zc_argument *argument, char *blob)
{
    ze_image_handle_t image = NULL;
    if (argument->kind == ZC_ARGUMENT_IMAGE)
        image = zc_image_argument_get(argument, blob);
    put(argument, 0, blob);
    if (image)
        zc_image_unref(image);
}

void zc_image_arguments_each(
    const struct zc_kernel *kernel, const char *blob, void (*what)(ze_image_handle_t image))
{
    for (uint32_t i = 0; i < kernel->argument_count; i++) {
        const struct zc_argument *argument = &kernel->arguments[i];
        ze_image_handle_t image = NULL;
        if (argument->kind == ZC_ARGUMENT_IMAGE)
            image = zc_image_argument_get(argument, blob);
        if (image)
            what(image);
    }
}

bool zc_image_arguments_are_destroyed(const struct zc_kernel *kernel, const char *blob)
{
    for (uint32_t i = 0; i < kernel->argument_count; i++) {
        const struct zc_argument *argument = &kernel->arguments[i];
        if (argument->kind == ZC_ARGUMENT_IMAGE &&
            zc_image_is_destroyed(zc_image_argument_get(argument, blob)))
            return true;
    }
    return false;
}
