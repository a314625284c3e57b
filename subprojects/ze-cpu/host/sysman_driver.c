// SPDX-License-Identifier: MIT
//
// Sysman without zeInit, as API 1.5 has it: drivers and devices that are found by functions of its own.
#include "driver.h"
#include "own.h"
#include "sysman.h"

#include <stdatomic.h>
#include <string.h>

static atomic_bool initialised; // by zesInit

bool zc_sysman_is_on(void)
{
    return zc_settings.sysman || atomic_load(&initialised);
}

ze_result_t zc_sysman_init(uint32_t flags) ZC_ENTRY_POINT(zesInit);

ze_result_t zc_sysman_init(uint32_t flags)
{
    ZC_REQUIRE(flags == 0, ZE_RESULT_ERROR_INVALID_ENUMERATION);
    const ze_result_t result = zeInit(0);
    atomic_store(&initialised, result == ZE_RESULT_SUCCESS);
    return result;
}

ze_result_t zc_sysman_driver_get(uint32_t *count, ze_driver_handle_t *drivers)
    ZC_ENTRY_POINT(zesDriverGet);

ze_result_t zc_sysman_driver_get(uint32_t *count, ze_driver_handle_t *drivers)
{
    ZC_REQUIRE_SYSMAN();
    return zeDriverGet(count, drivers);
}

ze_result_t zc_sysman_device_get(ze_driver_handle_t driver, uint32_t *count,
    ze_device_handle_t *devices) ZC_ENTRY_POINT(zesDeviceGet);

ze_result_t zc_sysman_device_get(
    ze_driver_handle_t driver, uint32_t *count, ze_device_handle_t *devices)
{
    ZC_REQUIRE_SYSMAN();
    return zeDeviceGet(driver, count, devices);
}

// ---- devices by their UUID ----

static bool has_uuid(ze_device_handle_t device, const uint8_t wanted[ZE_MAX_DEVICE_UUID_SIZE])
{
    ze_device_uuid_t uuid;
    zc_device_uuid(device, &uuid);
    return !memcmp(uuid.id, wanted, sizeof uuid.id);
}

static ze_device_handle_t find_among(
    const ze_device_handle_t *devices, uint32_t count, const uint8_t *uuid)
{
    for (uint32_t i = 0; i < count; i++)
        if (has_uuid(devices[i], uuid))
            return devices[i];
    return NULL;
}

// A device, or one of its parts.
static ze_device_handle_t find(const struct zc_topology *topology, const uint8_t *uuid)
{
    ze_device_handle_t found = find_among(topology->visible, topology->visible_count, uuid);
    for (uint32_t i = 0; i < topology->visible_count && !found; i++) {
        const ze_device_handle_t device = topology->visible[i];
        found = find_among(device->sub_devices, device->sub_device_count, uuid);
    }
    return found;
}

struct uuid {
    uint8_t id[ZE_MAX_DEVICE_UUID_SIZE];
};

ze_result_t zc_sysman_find_device(ze_driver_handle_t driver, struct uuid uuid,
    ze_device_handle_t *device, ze_bool_t *is_part, uint32_t *part)
    ZC_ENTRY_POINT(zesDriverGetDeviceByUuidExp);

// Of a part the device is the one that it is a part of.
ze_result_t zc_sysman_find_device(ze_driver_handle_t driver, struct uuid uuid,
    ze_device_handle_t *device, ze_bool_t *is_part, uint32_t *part)
{
    ZC_REQUIRE_SYSMAN();
    ZC_REQUIRE_HANDLE(driver);
    ZC_REQUIRE_POINTER(device);
    ZC_REQUIRE_POINTER(is_part);
    ZC_REQUIRE_POINTER(part);
    const ze_device_handle_t found = find(&driver->topology, uuid.id);
    ZC_REQUIRE(found, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    *device = found->parent ? found->parent : found;
    *is_part = found->parent != NULL;
    *part = found->parent ? found->part - 1 : 0;
    return ZE_RESULT_SUCCESS;
}
