// SPDX-License-Identifier: MIT
#include "sampler.h"

#include "check.h"
#include "context.h"
#include "device.h"
#include "live.h"

#include <image.h>
#include <stdlib.h>

static struct zc_live samplers = ZC_LIVE_INIT;

static void read_bits(void *sampler, void *user)
{
    const struct _ze_sampler_handle_t *found = sampler;
    uint32_t *bits = user;
    *bits = found->bits;
}

bool zc_sampler_read(const void *handle, uint32_t *bits)
{
    return zc_live_visit(&samplers, handle, read_bits, bits);
}

static uint32_t bits_of(const ze_sampler_desc_t *desc)
{
    static const uint32_t addresses[] = {
        [ZE_SAMPLER_ADDRESS_MODE_NONE] = ZC_SAMPLER_ADDRESS_NONE,
        [ZE_SAMPLER_ADDRESS_MODE_REPEAT] = ZC_SAMPLER_REPEAT,
        [ZE_SAMPLER_ADDRESS_MODE_CLAMP] = ZC_SAMPLER_CLAMP_TO_EDGE,
        [ZE_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER] = ZC_SAMPLER_CLAMP,
        [ZE_SAMPLER_ADDRESS_MODE_MIRROR] = ZC_SAMPLER_MIRRORED_REPEAT,
    };
    return addresses[desc->addressMode] | (desc->isNormalized ? ZC_SAMPLER_NORMALIZED : 0u) |
           (desc->filterMode == ZE_SAMPLER_FILTER_MODE_LINEAR ? ZC_SAMPLER_LINEAR
                                                              : ZC_SAMPLER_NEAREST);
}

static ze_result_t check_desc(ze_device_handle_t device, const ze_sampler_desc_t *desc)
{
    ZC_REQUIRE((uint32_t)desc->addressMode <= ZE_SAMPLER_ADDRESS_MODE_MIRROR,
        ZE_RESULT_ERROR_INVALID_ENUMERATION);
    ZC_REQUIRE((uint32_t)desc->filterMode <= ZE_SAMPLER_FILTER_MODE_LINEAR,
        ZE_RESULT_ERROR_INVALID_ENUMERATION);
    ZC_REQUIRE(device->persona->image_size, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeSamplerCreate(ze_context_handle_t context, ze_device_handle_t device,
    const ze_sampler_desc_t *desc, ze_sampler_handle_t *sampler)
{
    ZC_REQUIRE_HANDLE(context);
    ZC_REQUIRE_HANDLE(device);
    ZC_REQUIRE_POINTER(desc);
    ZC_REQUIRE_POINTER(sampler);
    ZC_REQUIRE(zc_context_has(context, device), ZE_RESULT_ERROR_DEVICE_LOST); // as for allocations
    const ze_result_t checked = check_desc(device, desc);
    ZC_PASS(checked);
    ze_sampler_handle_t new = calloc(1, sizeof *new);
    ZC_REQUIRE(new, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    new->bits = bits_of(desc);
    if (!zc_live_add(&samplers, new)) {
        free(new);
        return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    }
    *sampler = new;
    return ZE_RESULT_SUCCESS;
}

// Kernels and launches have the bits, and need no sampler any more.
ze_result_t zeSamplerDestroy(ze_sampler_handle_t sampler)
{
    ZC_REQUIRE_HANDLE(sampler);
    ZC_REQUIRE(zc_live_remove(&samplers, sampler), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    free(sampler);
    return ZE_RESULT_SUCCESS;
}
