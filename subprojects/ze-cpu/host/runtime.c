// SPDX-License-Identifier: MIT
//
// The runtime API (zer): devices by number, and a context that is there without being created.
#include "driver.h"
#include "own.h"
#include "settings.h"

#define NO_DEVICE UINT32_MAX

static const struct zc_topology *topology(void)
{
    ze_driver_handle_t driver = zc_settings.newer ? zc_the_driver() : NULL;
    return driver ? &driver->topology : NULL;
}

uint32_t zc_device_to_number(ze_device_handle_t device)
    ZC_ENTRY_POINT(zerTranslateDeviceHandleToIdentifier);

// Its place in what zeDeviceGet returns.
uint32_t zc_device_to_number(ze_device_handle_t device)
{
    const struct zc_topology *all = topology();
    for (uint32_t i = 0; all && i < all->visible_count; i++)
        if (all->visible[i] == device)
            return i;
    return NO_DEVICE;
}

ze_device_handle_t zc_number_to_device(uint32_t number)
    ZC_ENTRY_POINT(zerTranslateIdentifierToDeviceHandle);

ze_device_handle_t zc_number_to_device(uint32_t number)
{
    const struct zc_topology *all = topology();
    return all && number < all->visible_count ? all->visible[number] : NULL;
}

ze_context_handle_t zc_get_default_context(void) ZC_ENTRY_POINT(zerGetDefaultContext);

ze_context_handle_t zc_get_default_context(void)
{
    return topology() ? &zc_the_driver()->default_context : NULL;
}
