// SPDX-License-Identifier: MIT
//
// What Sysman says of a device, whether it has to be reset, and which processes use it.
#include "device.h"
#include "device_memory.h"
#include "driver.h"
#include "own.h"
#include "sysman.h"

#include <stdio.h>
#include <unistd.h>
#include <ze_newer.h>

static void set_text(char text[ZES_STRING_PROPERTY_SIZE], const char *value)
{
    snprintf(text, ZES_STRING_PROPERTY_SIZE, "%.*s", ZES_STRING_PROPERTY_SIZE - 1, value);
}

ze_result_t zesDeviceGetProperties(zes_device_handle_t handle, zes_device_properties_t *properties)
{
    ZC_REQUIRE_SYSMAN();
    ZC_REQUIRE_HANDLE(handle);
    ZC_REQUIRE_POINTER(properties);
    const ze_device_handle_t device = (ze_device_handle_t)handle;
    properties->core.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
    properties->core.pNext = NULL;
    properties->numSubdevices = device->sub_device_count;
    set_text(properties->serialNumber, "unknown");
    set_text(properties->boardNumber, "unknown");
    set_text(properties->brandName, "ze-cpu");
    set_text(properties->modelName, device->name);
    set_text(properties->vendorName, "unknown");
    snprintf(properties->driverVersion, sizeof properties->driverVersion, "%d", ZC_DRIVER_VERSION);
    return zeDeviceGetProperties(device, &properties->core);
}

// A device that is lost stays so: there is no reset that helps.
ze_result_t zesDeviceGetState(zes_device_handle_t handle, zes_device_state_t *state)
{
    ZC_REQUIRE_SYSMAN();
    ZC_REQUIRE_HANDLE(handle);
    ZC_REQUIRE_POINTER(state);
    const ze_device_handle_t device = (ze_device_handle_t)handle;
    state->reset = zc_are_lost(zc_device_bit(device)) ? ZES_RESET_REASON_FLAG_WEDGED : 0;
    state->repaired = ZES_REPAIR_STATUS_UNSUPPORTED;
    return ZE_RESULT_SUCCESS;
}

// Each process has a driver of its own, which knows of no other.
ze_result_t zesDeviceProcessesGetState(
    zes_device_handle_t handle, uint32_t *count, zes_process_state_t *processes)
{
    ZC_REQUIRE_SYSMAN();
    ZC_REQUIRE_HANDLE(handle);
    ZC_REQUIRE_POINTER(count);
    if (!zc_clamp_count(count, 1) || !processes)
        return ZE_RESULT_SUCCESS;
    processes->processId = (uint32_t)getpid();
    processes->memSize = zc_device_memory_used((ze_device_handle_t)handle);
    processes->sharedSize = 0;
    processes->engines = ZES_ENGINE_TYPE_FLAG_COMPUTE;
    return ZE_RESULT_SUCCESS;
}

ze_result_t zc_sysman_get_parts(zes_device_handle_t handle, uint32_t *count,
    zes_newer_subdevice_exp_properties_t *parts) ZC_ENTRY_POINT(zesDeviceGetSubDevicePropertiesExp);

ze_result_t zc_sysman_get_parts(
    zes_device_handle_t handle, uint32_t *count, zes_newer_subdevice_exp_properties_t *parts)
{
    ZC_REQUIRE_SYSMAN();
    ZC_REQUIRE_HANDLE(handle);
    ZC_REQUIRE_POINTER(count);
    const ze_device_handle_t device = (ze_device_handle_t)handle;
    if (!zc_clamp_count(count, device->sub_device_count) || !parts)
        return ZE_RESULT_SUCCESS;
    for (uint32_t i = 0; i < *count; i++) {
        parts[i].subdeviceId = device->sub_devices[i]->part - 1;
        zc_device_uuid(device->sub_devices[i], &parts[i].uuid);
    }
    return ZE_RESULT_SUCCESS;
}
