// SPDX-License-Identifier: MIT
// What Sysman reports of memory: noop_config.memory_modules modules with equal shares.
#include "internal.h"

#include <level_zero/zes_api.h>

struct _zes_mem_handle_t {
    uint32_t index;
};

static struct _zes_mem_handle_t modules[NOOP_MAX_MEMORY_MODULES] = {{0}, {1}, {2}, {3}};

ze_result_t noop_zesDeviceEnumMemoryModules(
    zes_device_handle_t device, uint32_t *count, zes_mem_handle_t *handles)
{
    NOOP_ENTER(zesDeviceEnumMemoryModules);
    (void)device;
    const uint32_t available = noop_config_get().memory_modules;
    const bool asks = handles == NULL || *count == 0;
    if (asks || *count > available)
        *count = available;
    for (uint32_t i = 0; !asks && i < *count; i++)
        handles[i] = &modules[i];
    return ZE_RESULT_SUCCESS;
}

ze_result_t noop_zesMemoryGetProperties(zes_mem_handle_t module, zes_mem_properties_t *properties)
{
    NOOP_ENTER(zesMemoryGetProperties);
    const struct noop_config config = noop_config_get();
    properties->type = ZES_MEM_TYPE_HBM;
    properties->onSubdevice = module->index < config.sub_devices;
    properties->subdeviceId = properties->onSubdevice ? module->index : 0;
    properties->location = ZES_MEM_LOC_DEVICE;
    properties->physicalSize = config.memory_size / config.memory_modules;
    properties->busWidth = -1;
    properties->numChannels = -1;
    return ZE_RESULT_SUCCESS;
}

ze_result_t noop_zesMemoryGetState(zes_mem_handle_t module, zes_mem_state_t *state)
{
    NOOP_ENTER(zesMemoryGetState);
    (void)module;
    const struct noop_config config = noop_config_get();
    state->health = ZES_MEM_HEALTH_OK;
    state->size = config.memory_size / config.memory_modules;
    state->free = config.free_memory / config.memory_modules;
    return ZE_RESULT_SUCCESS;
}
