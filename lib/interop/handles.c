// SPDX-License-Identifier: MIT
//
// Our Level Zero handles, for the user's own calls.

#include <mezzanine/level_zero.h>

#include "device/platform.h"

ze_context_handle_t mez_context_get_ze(mez_context *context)
{
    if (!context)
        return NULL;
    mez_platform *platform = mez_platform_of(context);
    mez_platform_share_ze(platform);
    return platform->ze;
}

ze_driver_handle_t mez_context_get_ze_driver(const mez_context *context)
{
    return context ? ((const mez_platform *)context)->driver : NULL;
}

ze_device_handle_t mez_device_get_ze(const mez_device *device)
{
    return device ? device->ze : NULL;
}
