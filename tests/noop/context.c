// SPDX-License-Identifier: MIT
// Contexts, and objects that have nothing but a life: images and samplers.
#include "internal.h"

ze_result_t noop_zeContextCreate(
    ze_driver_handle_t driver, const ze_context_desc_t *desc, ze_context_handle_t *context)
{
    NOOP_ENTER(zeContextCreate);
    (void)driver, (void)desc;
    return NOOP_CREATE(NOOP_CONTEXT, context);
}

ze_result_t noop_zeContextCreateEx(ze_driver_handle_t driver, const ze_context_desc_t *desc,
    uint32_t device_count, ze_device_handle_t *devices, ze_context_handle_t *context)
{
    NOOP_ENTER(zeContextCreateEx);
    (void)driver, (void)desc, (void)device_count, (void)devices;
    return NOOP_CREATE(NOOP_CONTEXT, context);
}

ze_result_t noop_zeContextDestroy(ze_context_handle_t context)
{
    return noop_object_end(context, NOOP_CONTEXT, noop_enter(NOOP_zeContextDestroy));
}

NOOP_SUCCEED(zeContextGetStatus)
NOOP_SUCCEED(zeContextSystemBarrier)
NOOP_SUCCEED(zeContextMakeMemoryResident)
NOOP_SUCCEED(zeContextEvictMemory)
NOOP_SUCCEED(zeContextMakeImageResident)
NOOP_SUCCEED(zeContextEvictImage)

ze_result_t noop_zeImageCreate(ze_context_handle_t context, ze_device_handle_t device,
    const ze_image_desc_t *desc, ze_image_handle_t *image)
{
    NOOP_ENTER(zeImageCreate);
    (void)context, (void)device, (void)desc;
    return NOOP_CREATE(NOOP_IMAGE, image);
}

ze_result_t noop_zeImageDestroy(ze_image_handle_t image)
{
    return noop_object_end(image, NOOP_IMAGE, noop_enter(NOOP_zeImageDestroy));
}

ze_result_t noop_zeSamplerCreate(ze_context_handle_t context, ze_device_handle_t device,
    const ze_sampler_desc_t *desc, ze_sampler_handle_t *sampler)
{
    NOOP_ENTER(zeSamplerCreate);
    (void)context, (void)device, (void)desc;
    return NOOP_CREATE(NOOP_SAMPLER, sampler);
}

ze_result_t noop_zeSamplerDestroy(ze_sampler_handle_t sampler)
{
    return noop_object_end(sampler, NOOP_SAMPLER, noop_enter(NOOP_zeSamplerDestroy));
}
