// SPDX-License-Identifier: MIT
//
// Contexts.
#include "context.h"

#include "check.h"
#include "device.h"
#include "driver.h"
#include "loss.h"
#include "own.h"

#include <stdatomic.h>
#include <stdlib.h>

static zc_device_set set_of(uint32_t count, const ze_device_handle_t *devices)
{
    zc_device_set set = 0;
    for (uint32_t i = 0; i < count; i++)
        set |= zc_device_bit(devices[i]);
    return set;
}

zc_device_set zc_context_devices(
    ze_context_handle_t context, uint32_t count, const ze_device_handle_t *devices)
{
    return count ? set_of(count, devices) : context->devices;
}

ze_result_t zeContextCreate(
    ze_driver_handle_t driver, const ze_context_desc_t *desc, ze_context_handle_t *context)
{
    return zeContextCreateEx(driver, desc, 0, NULL, context);
}

ze_result_t zeContextCreateEx(ze_driver_handle_t driver, const ze_context_desc_t *desc,
    uint32_t device_count, ze_device_handle_t *devices, ze_context_handle_t *context)
{
    ZC_REQUIRE_HANDLE(driver);
    ZC_REQUIRE_POINTER(desc);
    ZC_REQUIRE_POINTER(context);
    ZC_REQUIRE_FLAGS(desc->flags, ZE_CONTEXT_FLAG_TBD);
    ZC_REQUIRE(devices || !device_count, ZE_RESULT_ERROR_INVALID_SIZE);
    for (uint32_t i = 0; i < device_count; i++)
        ZC_REQUIRE_HANDLE(devices[i]);
    ze_context_handle_t new = calloc(1, sizeof *new);
    ZC_REQUIRE(new, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    new->memory = &driver->memory;
    new->devices = device_count ? set_of(device_count, devices) : driver->topology.devices;
    *context = new;
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeContextDestroy(ze_context_handle_t context)
{
    ZC_REQUIRE_HANDLE(context);
    ZC_REQUIRE(!context->is_default, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    zc_memory_map_forget(context);
    free(context);
    return ZE_RESULT_SUCCESS;
}

ze_context_handle_t zc_driver_get_default_context(ze_driver_handle_t driver)
    ZC_ENTRY_POINT(zeDriverGetDefaultContext);

// Who asks for a handle knows no results: where there is none, it is NULL.
ze_context_handle_t zc_driver_get_default_context(ze_driver_handle_t driver)
{
    return driver && zc_settings.newer ? &driver->default_context : NULL;
}

// One lost device is enough, as with Intel's driver; the others of the context can be used.
ze_result_t zeContextGetStatus(ze_context_handle_t context)
{
    ZC_REQUIRE_HANDLE(context);
    const bool all_live = !(context->devices & ~atomic_load(&zc_living_devices));
    return !all_live ? ZE_RESULT_ERROR_DEVICE_LOST : ZE_RESULT_SUCCESS;
}

ze_result_t zeContextSystemBarrier(ze_context_handle_t context, ze_device_handle_t device)
{
    ZC_REQUIRE_HANDLE(context);
    ZC_REQUIRE_HANDLE(device);
    atomic_thread_fence(memory_order_seq_cst);
    return ZE_RESULT_SUCCESS;
}
