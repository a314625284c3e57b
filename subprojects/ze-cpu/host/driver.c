// SPDX-License-Identifier: MIT
//
// zeInit and the driver's own properties.
#include "driver.h"

#include "check.h"
#include "own.h"
#include "persona.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <ze_newer.h>

static struct _ze_driver_handle_t the_driver;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static ze_result_t init_result = ZE_RESULT_ERROR_UNINITIALIZED;

static void init_once(void)
{
    zc_memory_map_init(&the_driver.memory);
    the_driver.default_context =
        (struct _ze_context_handle_t){.memory = &the_driver.memory, .is_default = true};
    init_result = zc_settings_read();
    if (init_result == ZE_RESULT_SUCCESS)
        init_result = zc_topology_init(&the_driver.topology);
    the_driver.default_context.devices = the_driver.topology.devices;
}

// A driver that has none of the devices asked for says so; the loader then leaves it out.
static bool is_wanted(ze_init_flags_t flags)
{
    if (!the_driver.topology.visible_count)
        return false;
    if (!flags)
        return true;
    return (flags & ZE_INIT_FLAG_GPU_ONLY) &&
           the_driver.topology.visible[0]->type == ZE_DEVICE_TYPE_GPU;
}

ze_result_t zeInit(ze_init_flags_t flags)
{
    ZC_REQUIRE_FLAGS(flags, ZE_INIT_FLAG_GPU_ONLY | ZE_INIT_FLAG_VPU_ONLY);
    pthread_once(&once, init_once);
    ZC_REQUIRE(init_result == ZE_RESULT_SUCCESS, init_result);
    return is_wanted(flags) ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_UNINITIALIZED;
}

ze_result_t zc_init_drivers(uint32_t *count, ze_driver_handle_t *drivers,
    const ze_newer_init_driver_type_desc_t *desc) ZC_ENTRY_POINT(zeInitDrivers);

// In every mode: over a driver without it newer loaders refuse programs that ask by it.
ze_result_t zc_init_drivers(
    uint32_t *count, ze_driver_handle_t *drivers, const ze_newer_init_driver_type_desc_t *desc)
{
    pthread_once(&once, init_once);
    ZC_REQUIRE(init_result == ZE_RESULT_SUCCESS, init_result);
    ZC_REQUIRE_POINTER(count);
    ZC_REQUIRE_POINTER(desc);
    ZC_REQUIRE(desc->flags, ZE_RESULT_ERROR_INVALID_ENUMERATION);
    ZC_REQUIRE(the_driver.topology.visible_count, ZE_RESULT_ERROR_UNINITIALIZED);
    const bool gpu = the_driver.topology.visible[0]->type == ZE_DEVICE_TYPE_GPU;
    const bool wanted =
        desc->flags == UINT32_MAX || (gpu && (desc->flags & ZE_NEWER_INIT_DRIVER_TYPE_FLAG_GPU));
    if (zc_clamp_count(count, wanted ? 1 : 0) && wanted && drivers)
        drivers[0] = &the_driver;
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeDriverGet(uint32_t *count, ze_driver_handle_t *drivers)
{
    ZC_REQUIRE_POINTER(count);
    ZC_REQUIRE(init_result == ZE_RESULT_SUCCESS, ZE_RESULT_ERROR_UNINITIALIZED);
    if (zc_clamp_count(count, 1) && drivers)
        drivers[0] = &the_driver;
    return ZE_RESULT_SUCCESS;
}

ze_driver_handle_t zc_the_driver(void)
{
    return init_result == ZE_RESULT_SUCCESS ? &the_driver : NULL;
}

ze_result_t zeDriverGetApiVersion(ze_driver_handle_t driver, ze_api_version_t *version)
{
    ZC_REQUIRE_HANDLE(driver);
    ZC_REQUIRE_POINTER(version);
    *version = zc_settings.newer ? (ze_api_version_t)ZE_MAKE_VERSION(1, 14) : ZE_API_VERSION_1_3;
    return ZE_RESULT_SUCCESS;
}

// Memory is freed at once, and not when it is out of use.
static void fill_free_policies(void *chain)
{
    ze_driver_memory_free_ext_properties_t *properties =
        zc_find_properties(chain, ZE_STRUCTURE_TYPE_DRIVER_MEMORY_FREE_EXT_PROPERTIES);
    if (properties)
        properties->freePolicies = 0;
}

ze_result_t zeDriverGetProperties(ze_driver_handle_t driver, ze_driver_properties_t *properties)
{
    ZC_REQUIRE_HANDLE(driver);
    ZC_REQUIRE_POINTER(properties);
    // A driver with another compiler is another driver: binaries of one may not work with the other. Programs distinguish drivers by the
    // version, as the UUID of Intel's says nothing.
    properties->driverVersion = ZC_DRIVER_VERSION | (uint32_t)zc_settings.asserts << 8;
    memset(&properties->uuid, 0, sizeof properties->uuid);
    snprintf((char *)properties->uuid.id, sizeof properties->uuid.id, "ze-cpu %x",
        properties->driverVersion);
    fill_free_policies(properties->pNext);
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeDriverGetIpcProperties(
    ze_driver_handle_t driver, ze_driver_ipc_properties_t *properties)
{
    ZC_REQUIRE_HANDLE(driver);
    ZC_REQUIRE_POINTER(properties);
    properties->flags = ZE_IPC_PROPERTY_FLAG_MEMORY | ZE_IPC_PROPERTY_FLAG_EVENT_POOL;
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGet(ze_driver_handle_t driver, uint32_t *count, ze_device_handle_t *devices)
{
    ZC_REQUIRE_HANDLE(driver);
    ZC_REQUIRE_POINTER(count);
    const struct zc_topology *topology = &driver->topology;
    if (zc_clamp_count(count, topology->visible_count) && devices)
        memcpy(devices, topology->visible, *count * sizeof *devices);
    return ZE_RESULT_SUCCESS;
}
