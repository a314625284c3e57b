// SPDX-License-Identifier: MIT
// Devices: as many and as good as the configuration says.
#include "internal.h"

#include <stdio.h>
#include <time.h>

// Static, so that a handle stays valid when the test configures fewer devices.
static struct _ze_device_handle_t devices[NOOP_MAX_DEVICES];
static struct _ze_device_handle_t sub_devices[NOOP_MAX_DEVICES][NOOP_MAX_SUB_DEVICES];

__attribute__((constructor)) static void number_devices(void)
{
    for (uint32_t i = 0; i < NOOP_MAX_DEVICES; i++) {
        devices[i].index = i;
        for (uint32_t j = 0; j < NOOP_MAX_SUB_DEVICES; j++)
            sub_devices[i][j] = (struct _ze_device_handle_t){.parent = &devices[i], .index = j};
    }
}

// The protocol of every zeXGet(count, handles): without handles the number there is, else at most
// as many as asked for.
static void give_handles(struct _ze_device_handle_t *from, uint32_t available, uint32_t *count,
    ze_device_handle_t *handles)
{
    const bool asks = handles == NULL || *count == 0;
    if (asks || *count > available)
        *count = available;
    for (uint32_t i = 0; !asks && i < *count; i++)
        handles[i] = &from[i];
}

ze_result_t noop_zeDeviceGet(
    ze_driver_handle_t driver, uint32_t *count, ze_device_handle_t *handles)
{
    NOOP_ENTER(zeDeviceGet);
    (void)driver;
    give_handles(devices, noop_config_get().devices, count, handles);
    return ZE_RESULT_SUCCESS;
}

ze_result_t noop_zeDeviceGetSubDevices(
    ze_device_handle_t device, uint32_t *count, ze_device_handle_t *handles)
{
    NOOP_ENTER(zeDeviceGetSubDevices);
    const uint32_t available = device->parent == NULL ? noop_config_get().sub_devices : 0;
    give_handles(sub_devices[device->index], available, count, handles);
    return ZE_RESULT_SUCCESS;
}

ze_result_t noop_zeDeviceGetRootDevice(ze_device_handle_t device, ze_device_handle_t *root)
{
    NOOP_ENTER(zeDeviceGetRootDevice);
    *root = device->parent;
    return ZE_RESULT_SUCCESS;
}

static ze_device_uuid_t device_uuid(ze_device_handle_t device)
{
    const ze_device_handle_t root = device->parent != NULL ? device->parent : device;
    ze_device_uuid_t uuid = {.id = "no-op device"};
    uuid.id[13] = (uint8_t)(root->index + 1);
    uuid.id[14] = (uint8_t)(device->parent != NULL ? device->index + 1 : 0);
    return uuid;
}

static void *find_chained(void *chain, ze_structure_type_t stype)
{
    ze_base_properties_t *link = chain;
    while (link != NULL && link->stype != stype)
        link = link->pNext;
    return link;
}

static void report_usable_memory(const struct noop_config *config, void *chain)
{
    ze_newer_device_usablemem_size_ext_properties_t *usable =
        find_chained(chain, ZE_NEWER_STRUCTURE_TYPE_DEVICE_USABLEMEM_SIZE_EXT_PROPERTIES);
    if (usable != NULL &&
        noop_config_lists(config, ZE_NEWER_DEVICE_USABLEMEM_SIZE_PROPERTIES_EXT_NAME))
        usable->currUsableMemSize = config->free_memory;
}

static void report_ip_version(const struct noop_config *config, void *chain)
{
    ze_newer_device_ip_version_ext_t *reported =
        find_chained(chain, ZE_NEWER_STRUCTURE_TYPE_DEVICE_IP_VERSION_EXT);
    if (reported != NULL && noop_config_lists(config, ZE_NEWER_DEVICE_IP_VERSION_EXT_NAME))
        reported->ipVersion = config->ip_version;
}

ze_result_t noop_zeDeviceGetProperties(
    ze_device_handle_t device, ze_device_properties_t *properties)
{
    NOOP_ENTER(zeDeviceGetProperties);
    const struct noop_config config = noop_config_get();
    const bool sub_device = device->parent != NULL;
    // The same clock in the unit that the structure wants; only drivers since 1.2 know the later.
    const bool ticks_per_second = properties->stype == ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2 &&
                                  config.api_version >= ZE_API_VERSION_1_2;
    *properties = (ze_device_properties_t){
        .stype = properties->stype,
        .pNext = properties->pNext,
        .type = config.type,
        .vendorId = config.vendor_id,
        .deviceId = config.device_id,
        .flags = config.flags | (sub_device ? ZE_DEVICE_PROPERTY_FLAG_SUBDEVICE : 0u),
        .subdeviceId = sub_device ? device->index : 0,
        .coreClockRate = 1000,
        .maxMemAllocSize = config.max_allocation_size,
        .maxHardwareContexts = 1024,
        .numThreadsPerEU = 8,
        .physicalEUSimdWidth = 8,
        .numEUsPerSubslice = 16,
        .numSubslicesPerSlice = 6,
        .numSlices = 1,
        .timerResolution = ticks_per_second ? 12500000 : 80,
        .timestampValidBits = 36,
        .kernelTimestampValidBits = 32,
        .uuid = device_uuid(device),
    };
    snprintf(properties->name, sizeof properties->name, "%s", config.name);
    report_usable_memory(&config, properties->pNext);
    report_ip_version(&config, properties->pNext);
    return ZE_RESULT_SUCCESS;
}

ze_result_t noop_zeDeviceGetComputeProperties(
    ze_device_handle_t device, ze_device_compute_properties_t *properties)
{
    NOOP_ENTER(zeDeviceGetComputeProperties);
    (void)device;
    const struct noop_config config = noop_config_get();
    *properties = (ze_device_compute_properties_t){
        .stype = properties->stype,
        .pNext = properties->pNext,
        .maxTotalGroupSize = config.max_group_size,
        .maxGroupSizeX = config.max_group_size,
        .maxGroupSizeY = config.max_group_size,
        .maxGroupSizeZ = config.max_group_size,
        .maxGroupCountX = config.max_group_count,
        .maxGroupCountY = config.max_group_count,
        .maxGroupCountZ = config.max_group_count,
        .maxSharedLocalMemory = config.max_local_memory,
    };
    uint32_t n = 0;
    for (; n < NOOP_MAX_SUB_GROUP_SIZES && config.sub_group_sizes[n] != 0; n++)
        properties->subGroupSizes[n] = config.sub_group_sizes[n];
    properties->numSubGroupSizes = n;
    return ZE_RESULT_SUCCESS;
}

ze_result_t noop_zeDeviceGetModuleProperties(
    ze_device_handle_t device, ze_device_module_properties_t *properties)
{
    NOOP_ENTER(zeDeviceGetModuleProperties);
    (void)device;
    const struct noop_config config = noop_config_get();
    const ze_device_fp_flags_t full = ZE_DEVICE_FP_FLAG_DENORM | ZE_DEVICE_FP_FLAG_INF_NAN |
                                      ZE_DEVICE_FP_FLAG_ROUND_TO_NEAREST | ZE_DEVICE_FP_FLAG_FMA;
    *properties = (ze_device_module_properties_t){
        .stype = properties->stype,
        .pNext = properties->pNext,
        .spirvVersionSupported = config.spirv_version,
        .flags = config.module_flags,
        .fp16flags = config.module_flags & ZE_DEVICE_MODULE_FLAG_FP16 ? full : 0,
        .fp32flags = full,
        .fp64flags = config.module_flags & ZE_DEVICE_MODULE_FLAG_FP64 ? full : 0,
        .maxArgumentsSize = config.max_arguments_size,
        .printfBufferSize = 1u << 20,
    };
    return ZE_RESULT_SUCCESS;
}

static uint32_t count_queue_groups(const struct noop_config *config)
{
    uint32_t n = 0;
    while (n < NOOP_MAX_QUEUE_GROUPS && config->queue_groups[n].queues != 0)
        n++;
    return n;
}

ze_result_t noop_zeDeviceGetCommandQueueGroupProperties(
    ze_device_handle_t device, uint32_t *count, ze_command_queue_group_properties_t *properties)
{
    NOOP_ENTER(zeDeviceGetCommandQueueGroupProperties);
    (void)device;
    const struct noop_config config = noop_config_get();
    const uint32_t available = count_queue_groups(&config);
    const bool asks = properties == NULL || *count == 0;
    if (asks || *count > available)
        *count = available;
    for (uint32_t i = 0; !asks && i < *count; i++) {
        properties[i].flags = config.queue_groups[i].flags;
        properties[i].maxMemoryFillPatternSize = config.queue_groups[i].max_fill_pattern;
        properties[i].numQueues = config.queue_groups[i].queues;
    }
    return ZE_RESULT_SUCCESS;
}

// Each device has a slot of its own; parts have that of their device.
ze_result_t noop_zeDevicePciGetPropertiesExt(
    ze_device_handle_t device, ze_pci_ext_properties_t *properties)
{
    NOOP_ENTER(zeDevicePciGetPropertiesExt);
    const struct noop_config config = noop_config_get();
    if (!noop_config_lists(&config, ZE_PCI_PROPERTIES_EXT_NAME))
        return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
    const uint32_t slot = device->parent ? device->parent->index : device->index;
    properties->address = (ze_pci_address_ext_t){.domain = 1, .bus = 0x3a, .device = slot};
    return ZE_RESULT_SUCCESS;
}

static void answer_memory_type(const struct noop_config *config, void *chain)
{
    ze_device_memory_ext_properties_t *more =
        find_chained(chain, ZE_STRUCTURE_TYPE_DEVICE_MEMORY_EXT_PROPERTIES);
    if (more == NULL || !noop_config_lists(config, ZE_DEVICE_MEMORY_PROPERTIES_EXT_NAME))
        return;
    more->type = ZE_DEVICE_MEMORY_EXT_TYPE_HBM2;
    more->physicalSize = config->memory_size + 1;
}

ze_result_t noop_zeDeviceGetMemoryProperties(
    ze_device_handle_t device, uint32_t *count, ze_device_memory_properties_t *properties)
{
    NOOP_ENTER(zeDeviceGetMemoryProperties);
    (void)device;
    if (properties != NULL && *count >= 1) {
        properties[0].flags = 0;
        properties[0].maxClockRate = 1000;
        properties[0].maxBusWidth = 64;
        properties[0].totalSize = noop_config_get().memory_size;
        snprintf(properties[0].name, sizeof properties[0].name, "host memory");
        const struct noop_config config = noop_config_get();
        answer_memory_type(&config, properties[0].pNext);
    }
    *count = 1;
    return ZE_RESULT_SUCCESS;
}

ze_result_t noop_zeDeviceGetMemoryAccessProperties(
    ze_device_handle_t device, ze_device_memory_access_properties_t *properties)
{
    NOOP_ENTER(zeDeviceGetMemoryAccessProperties);
    (void)device;
    const struct noop_config config = noop_config_get();
    *properties = (ze_device_memory_access_properties_t){
        .stype = properties->stype,
        .pNext = properties->pNext,
        .hostAllocCapabilities = config.host_memory,
        .deviceAllocCapabilities = config.device_memory,
        .sharedSingleDeviceAllocCapabilities = config.shared_memory,
        .sharedSystemAllocCapabilities = config.system_memory,
    };
    return ZE_RESULT_SUCCESS;
}

ze_result_t noop_zeDeviceGetCacheProperties(
    ze_device_handle_t device, uint32_t *count, ze_device_cache_properties_t *properties)
{
    NOOP_ENTER(zeDeviceGetCacheProperties);
    (void)device;
    if (properties != NULL && *count >= 1) {
        properties[0].flags = 0;
        properties[0].cacheSize = 1u << 20;
    }
    *count = 1;
    return ZE_RESULT_SUCCESS;
}

ze_result_t noop_zeDeviceGetImageProperties(
    ze_device_handle_t device, ze_device_image_properties_t *properties)
{
    NOOP_ENTER(zeDeviceGetImageProperties);
    (void)device;
    const uint32_t size = noop_config_get().max_image_size;
    *properties = (ze_device_image_properties_t){
        .stype = properties->stype,
        .pNext = properties->pNext,
        .maxImageDims1D = size,
        .maxImageDims2D = size,
        .maxImageDims3D = size,
        .maxImageBufferSize = 1u << 27,
        .maxImageArraySlices = 2048,
        .maxSamplers = 16,
        .maxReadImageArgs = 128,
        .maxWriteImageArgs = 128,
    };
    return ZE_RESULT_SUCCESS;
}

ze_result_t noop_zeDeviceGetP2PProperties(
    ze_device_handle_t device, ze_device_handle_t peer, ze_device_p2p_properties_t *properties)
{
    NOOP_ENTER(zeDeviceGetP2PProperties);
    properties->flags = device == peer ? ZE_DEVICE_P2P_PROPERTY_FLAG_ACCESS : 0;
    return ZE_RESULT_SUCCESS;
}

ze_result_t noop_zeDeviceCanAccessPeer(
    ze_device_handle_t device, ze_device_handle_t peer, ze_bool_t *access)
{
    NOOP_ENTER(zeDeviceCanAccessPeer);
    *access = device == peer;
    return ZE_RESULT_SUCCESS;
}

NOOP_SUCCEED(zeDeviceGetStatus)

ze_result_t noop_zeDeviceGetGlobalTimestamps(
    ze_device_handle_t device, uint64_t *host, uint64_t *own)
{
    NOOP_ENTER(zeDeviceGetGlobalTimestamps);
    (void)device;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    *host = *own = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    return ZE_RESULT_SUCCESS;
}
