// SPDX-License-Identifier: MIT
//
// A context of Level Zero handles that the application made.

#include "context/context.h"

#include <mezzanine/level_zero.h>

#include "base/alloc.h"
#include "base/version.h"
#include "traced_calls.h"
#include "ze/loader.h"

#define MOST_DRIVERS 16

static bool contains(const ze_driver_handle_t *drivers, uint32_t count, ze_driver_handle_t driver)
{
    for (uint32_t i = 0; i < count; i++)
        if (drivers[i] == driver)
            return true;
    return false;
}

// The application may have asked by zeInit, and zeInitDrivers ignores drivers that do not know it.
static mez_error find_driver(ze_driver_handle_t driver, uint32_t *count, bool *found)
{
    ze_driver_handle_t drivers[MOST_DRIVERS];
    *count = MOST_DRIVERS;
    MEZ_TRY(mez_ze_get_drivers(count, drivers));
    *found = contains(drivers, *count, driver);
    if (*found || !mez_ze_uses_init_drivers())
        return mez_ok();
    *count = MOST_DRIVERS;
    MEZ_TRY(mez_ze_get_older_drivers(count, drivers));
    *found = contains(drivers, *count, driver);
    return mez_ok();
}

// A handle that is not the loader's crashes in the loader's first look at it, so it is compared and not asked.
static mez_error adopt_driver(mez_platform *platform, ze_driver_handle_t driver)
{
    uint32_t count;
    bool found;
    MEZ_TRY(find_driver(driver, &count, &found));
    if (!found)
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "driver %p is none of the %u that the Level Zero loader reports", (void *)driver,
            count);
    platform->driver = driver;
    return mez_caps_read(driver, mez_ze_wraps_handles(count), &platform->caps);
}

static mez_error adopt_list(
    mez_platform *platform, const ze_device_handle_t *handles, uint32_t count)
{
    platform->devices = mez_alloc_array(count, sizeof *platform->devices);
    if (!platform->devices)
        return mez_error_no_memory("devices");
    for (uint32_t i = 0; i < count; i++) {
        mez_device *device = &platform->devices[i];
        if (!handles[i])
            return mez_error_make(MEZ_ERRC_INVALID_PARAMETER, "device %u to adopt is NULL", i);
        *device = (mez_device){.platform = platform, .index = i, .parent = i};
        MEZ_TRY(mez_device_init(device, handles[i]));
        device->info.api_version = platform->caps.api_version;
        device->info.driver_version = platform->caps.driver_version;
    }
    platform->device_count = platform->device_total = count;
    return mez_ok();
}

static mez_error adopt_all_devices(mez_platform *platform)
{
    uint32_t count = 0;
    MEZ_TRY(ZE(zeDeviceGet, platform->driver, &count, NULL));
    if (count == 0)
        return mez_error_make(MEZ_ERRC_PLATFORM, "the driver to adopt reports no device");
    ze_device_handle_t *handles = mez_alloc_array(count, sizeof *handles);
    if (!handles)
        return mez_error_no_memory("devices");
    mez_error error = ZE(zeDeviceGet, platform->driver, &count, handles);
    if (!mez_failed(error))
        error = adopt_list(platform, handles, count);
    mez_free_memory(handles);
    return error;
}

static mez_error open_theirs(mez_platform *platform, const void *how)
{
    const mez_context_adopt_params *params = how;
    platform->borrows_ze = true; // until all has gone well
    platform->ze = params->ze_context;
    mez_platform_share_ze(platform);
    MEZ_TRY(mez_ze_open(MEZ_DRIVER_SET_FOREIGN));
    MEZ_TRY(adopt_driver(platform, params->ze_driver));
    return params->ze_device_count > 0
               ? adopt_list(platform, params->ze_devices, params->ze_device_count)
               : adopt_all_devices(platform);
}

static mez_error open_adopted(const mez_context_adopt_params *params, mez_context **context)
{
    const mez_context_params rest = {
        .debug_name = params->debug_name, .large_buffers = params->large_buffers};
    MEZ_TRY_RESERVED(mez_context_adopt_params, params);
    MEZ_TRY(mez_context_open(&rest, open_theirs, params, context));
    (*context)->platform.borrows_ze = !params->owns;
    return mez_ok();
}

MEZ_TRACE_BODY mez_error adopt(
    const mez_location *where, const mez_context_adopt_params *params, mez_context **context)
{
    return mez_error_add_place(open_adopted(params, context), where);
}

MEZ_TRACED_CALL(mez_context_adopt, adopt)

mez_error mez_context_adopt_at(
    const mez_location *where, const mez_context_adopt_params *params, mez_context **context)
{
    MEZ_REQUIRE(context, where);
    *context = NULL;
    MEZ_REQUIRE(params, where);
    MEZ_REQUIRE(params->ze_driver, where);
    MEZ_REQUIRE(params->ze_context, where);
    if (params->ze_device_count > 0)
        MEZ_REQUIRE(params->ze_devices, where);
    mez_trace_open();
    MEZ_TRACE_CALL(mez_context_adopt, where, adopt, where, params, context);
}
