// SPDX-License-Identifier: MIT
//
// The part of Sysman that reports how much memory is free: a device has one memory module, the host's memory,
// of which a sub-device has its share.
#include "device.h"
#include "device_memory.h"
#include "sysman.h"

#include <stdio.h>

// What programs can have without swapping; 0 where the kernel does not report it.
static uint64_t available_memory(void)
{
    unsigned long long kilobytes = 0;
    char line[128];
    FILE *file = fopen("/proc/meminfo", "re");
    if (!file)
        return 0;
    while (fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %llu kB", &kilobytes) == 1)
            break;
    fclose(file);
    return (uint64_t)kilobytes * 1024;
}

ze_result_t zesDeviceEnumMemoryModules(
    zes_device_handle_t device, uint32_t *count, zes_mem_handle_t *modules)
{
    ZC_REQUIRE_SYSMAN();
    ZC_REQUIRE_HANDLE(device);
    ZC_REQUIRE_POINTER(count);
    if (zc_clamp_count(count, 1) && modules)
        modules[0] = (zes_mem_handle_t)device;
    return ZE_RESULT_SUCCESS;
}

ze_result_t zesMemoryGetProperties(zes_mem_handle_t module, zes_mem_properties_t *properties)
{
    ZC_REQUIRE_SYSMAN();
    ZC_REQUIRE_HANDLE(module);
    ZC_REQUIRE_POINTER(properties);
    const struct _ze_device_handle_t *device = (ze_device_handle_t)module;
    properties->type = ZES_MEM_TYPE_DDR;
    properties->onSubdevice = device->parent != NULL;
    properties->subdeviceId = device->parent ? device->part - 1 : 0;
    properties->location = ZES_MEM_LOC_SYSTEM;
    properties->physicalSize = device->total_memory;
    properties->busWidth = -1;
    properties->numChannels = -1;
    return ZE_RESULT_SUCCESS;
}

ze_result_t zesMemoryGetState(zes_mem_handle_t module, zes_mem_state_t *state)
{
    ZC_REQUIRE_SYSMAN();
    ZC_REQUIRE_HANDLE(module);
    ZC_REQUIRE_POINTER(state);
    const ze_device_handle_t device = (ze_device_handle_t)module;
    const uint64_t available = available_memory();
    const uint64_t left = device->total_memory - zc_device_memory_used(device);
    state->health = ZES_MEM_HEALTH_UNKNOWN;
    state->size = device->total_memory;
    state->free = available < left ? available : left;
    return ZE_RESULT_SUCCESS;
}
