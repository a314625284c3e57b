// SPDX-License-Identifier: MIT
//
// What the device says about itself.
#include "check.h"
#include "device.h"
#include "external.h"
#include "own.h"
#include "sync.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <ze_newer.h>

#define MAX_ARGUMENT_BYTES 2048
#define PRINTF_BUFFER_BYTES (4u << 20)

ze_result_t zeDeviceGetSubDevices(
    ze_device_handle_t device, uint32_t *count, ze_device_handle_t *sub_devices)
{
    ZC_REQUIRE_HANDLE(device);
    ZC_REQUIRE_POINTER(count);
    const bool wants_them = zc_clamp_count(count, device->sub_device_count);
    if (wants_them && *count && sub_devices)
        memcpy(sub_devices, device->sub_devices, *count * sizeof *sub_devices);
    return ZE_RESULT_SUCCESS;
}

ze_result_t zc_device_get_root_device(ze_device_handle_t device, ze_device_handle_t *root)
    ZC_ENTRY_POINT(zeDeviceGetRootDevice);

// NULL for what is shown as a device of its own.
ze_result_t zc_device_get_root_device(ze_device_handle_t device, ze_device_handle_t *root)
{
    ZC_REQUIRE_NEWER();
    ZC_REQUIRE_HANDLE(device);
    ZC_REQUIRE_POINTER(root);
    *root = device->parent;
    return ZE_RESULT_SUCCESS;
}

// The longest name leaves two bytes.
void zc_device_uuid(ze_device_handle_t device, ze_device_uuid_t *uuid)
{
    memset(uuid, 0, sizeof *uuid);
    snprintf((char *)uuid->id, sizeof uuid->id, "ze-cpu %s", device->persona->name);
    uuid->id[sizeof uuid->id - 2] = (uint8_t)device->number;
    uuid->id[sizeof uuid->id - 1] = (uint8_t)device->part;
}

static void fill_layout(ze_device_handle_t device, ze_device_properties_t *properties)
{
    properties->numThreadsPerEU = device->persona->threads_per_eu;
    properties->physicalEUSimdWidth = device->persona->simd_width;
    properties->numEUsPerSubslice = device->thread_count;
    properties->numSubslicesPerSlice = 1;
    properties->numSlices = 1;
}

// Timestamps count nanoseconds. The first version of the structure wants nanoseconds per tick, the
// next ticks per second.
static void fill_clock(ze_device_properties_t *properties)
{
    const bool ticks_per_second = properties->stype == ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2;
    properties->timerResolution = ticks_per_second ? 1000000000 : 1;
    properties->timestampValidBits = 64;
    properties->kernelTimestampValidBits = 64;
}

// Reads "cpu MHz : 2100.000", where that is the line.
static bool take_clock(const char *line, uint32_t *clock)
{
    const char *colon = strncmp(line, "cpu MHz", 7) == 0 ? strchr(line, ':') : NULL;
    if (colon)
        *clock = (uint32_t)strtoul(colon + 1, NULL, 10);
    return colon != NULL;
}

// In MHz, as Linux reports it for the first processor; 0: it does not.
static uint32_t read_core_clock(void)
{
    char line[256];
    uint32_t clock = 0;
    FILE *file = fopen("/proc/cpuinfo", "re");
    while (file && fgets(line, sizeof line, file) && !take_clock(line, &clock))
        ;
    if (file)
        fclose(file);
    return clock;
}

// Others in the chain are ignored: what came later than us is none of ours.
static void fill_ip_version(ze_device_handle_t device, void *chain)
{
    ze_newer_device_ip_version_ext_t *properties =
        zc_find_properties(chain, ZE_NEWER_STRUCTURE_TYPE_DEVICE_IP_VERSION_EXT);
    if (properties && zc_settings.newer)
        properties->ipVersion = device->persona->ip_version;
}

static void fill_timestamps(void *chain)
{
    ze_newer_event_query_kernel_timestamps_ext_properties_t *properties = zc_find_properties(
        chain, ZE_NEWER_STRUCTURE_TYPE_EVENT_QUERY_KERNEL_TIMESTAMPS_EXT_PROPERTIES);
    if (properties && zc_settings.newer)
        properties->flags = ZE_NEWER_EVENT_QUERY_KERNEL_TIMESTAMPS_EXT_FLAG_KERNEL |
                            ZE_NEWER_EVENT_QUERY_KERNEL_TIMESTAMPS_EXT_FLAG_SYNCHRONIZED;
}

ze_result_t zeDeviceGetProperties(ze_device_handle_t device, ze_device_properties_t *properties)
{
    ZC_REQUIRE_HANDLE(device);
    ZC_REQUIRE_POINTER(properties);
    properties->type = device->type;
    properties->vendorId = device->persona->vendor_id;
    properties->deviceId = device->persona->device_id;
    properties->flags = (device->persona->discrete ? 0 : ZE_DEVICE_PROPERTY_FLAG_INTEGRATED) |
                        (device->parent ? ZE_DEVICE_PROPERTY_FLAG_SUBDEVICE : 0);
    properties->subdeviceId = device->parent ? device->part - 1 : 0;
    properties->coreClockRate = read_core_clock();
    properties->maxMemAllocSize = device->max_allocation;
    properties->maxHardwareContexts = 1024;
    properties->maxCommandQueuePriority = 0;
    fill_layout(device, properties);
    fill_clock(properties);
    fill_ip_version(device, properties->pNext);
    fill_timestamps(properties->pNext);
    zc_device_uuid(device, &properties->uuid);
    snprintf(properties->name, sizeof properties->name, "%s", device->name);
    return ZE_RESULT_SUCCESS;
}

static uint32_t list_sub_group_sizes(uint32_t mask, uint32_t sizes[ZE_SUBGROUPSIZE_COUNT])
{
    uint32_t count = 0;
    memset(sizes, 0, ZE_SUBGROUPSIZE_COUNT * sizeof *sizes);
    for (uint32_t size = 1; size && count < ZE_SUBGROUPSIZE_COUNT; size <<= 1)
        if (mask & size)
            sizes[count++] = size;
    return count;
}

ze_result_t zeDeviceGetComputeProperties(
    ze_device_handle_t device, ze_device_compute_properties_t *properties)
{
    ZC_REQUIRE_HANDLE(device);
    ZC_REQUIRE_POINTER(properties);
    const struct zc_persona *persona = device->persona;
    properties->maxTotalGroupSize = persona->max_group_size;
    properties->maxGroupSizeX = persona->max_group_size;
    properties->maxGroupSizeY = persona->max_group_size;
    properties->maxGroupSizeZ = persona->max_group_size;
    properties->maxGroupCountX = UINT32_MAX;
    properties->maxGroupCountY = UINT32_MAX;
    properties->maxGroupCountZ = UINT32_MAX;
    properties->maxSharedLocalMemory = persona->shared_local_memory;
    properties->numSubGroupSizes =
        list_sub_group_sizes(persona->sub_group_sizes, properties->subGroupSizes);
    return ZE_RESULT_SUCCESS;
}

static ze_device_module_flags_t module_flags(const struct zc_persona *persona)
{
    return (persona->fp16 ? ZE_DEVICE_MODULE_FLAG_FP16 : 0) |
           (persona->fp64 ? ZE_DEVICE_MODULE_FLAG_FP64 : 0) |
           (persona->int64_atomics ? ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS : 0);
}

static void fill_scheduling_hints(void *chain)
{
    ze_scheduling_hint_exp_properties_t *properties =
        zc_find_properties(chain, ZE_STRUCTURE_TYPE_SCHEDULING_HINT_EXP_PROPERTIES);
    if (properties)
        properties->schedulingHintFlags = 0;
}

static void fill_float_atomics(const struct zc_persona *persona, void *chain)
{
    const ze_device_fp_atomic_ext_flags_t all =
        ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_LOAD_STORE | ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_ADD |
        ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_MIN_MAX |
        ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_LOAD_STORE | ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_ADD |
        ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_MIN_MAX;
    ze_float_atomic_ext_properties_t *properties =
        zc_find_properties(chain, ZE_STRUCTURE_TYPE_FLOAT_ATOMIC_EXT_PROPERTIES);
    if (!properties)
        return;
    properties->fp16Flags = 0;
    properties->fp32Flags = all;
    properties->fp64Flags = persona->fp64 ? all : 0;
}

ze_result_t zeDeviceGetModuleProperties(
    ze_device_handle_t device, ze_device_module_properties_t *properties)
{
    ZC_REQUIRE_HANDLE(device);
    ZC_REQUIRE_POINTER(properties);
    const struct zc_persona *persona = device->persona;
    const ze_device_fp_flags_t fp = ZE_DEVICE_FP_FLAG_DENORM | ZE_DEVICE_FP_FLAG_INF_NAN |
                                    ZE_DEVICE_FP_FLAG_ROUND_TO_NEAREST | ZE_DEVICE_FP_FLAG_FMA |
                                    ZE_DEVICE_FP_FLAG_ROUNDED_DIVIDE_SQRT;
    properties->spirvVersionSupported = persona->spirv_version;
    properties->flags = module_flags(persona);
    properties->fp16flags = persona->fp16 ? fp : 0;
    properties->fp32flags = fp;
    properties->fp64flags = persona->fp64 ? fp : 0;
    properties->maxArgumentsSize = MAX_ARGUMENT_BYTES;
    properties->printfBufferSize = PRINTF_BUFFER_BYTES;
    memset(&properties->nativeKernelSupported, 0, sizeof properties->nativeKernelSupported);
    fill_scheduling_hints(properties->pNext);
    fill_float_atomics(persona, properties->pNext);
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetCommandQueueGroupProperties(
    ze_device_handle_t device, uint32_t *count, ze_command_queue_group_properties_t *properties)
{
    ZC_REQUIRE_HANDLE(device);
    ZC_REQUIRE_POINTER(count);
    if (!zc_clamp_count(count, device->group_count) || !properties)
        return ZE_RESULT_SUCCESS;
    for (uint32_t i = 0; i < *count; i++) {
        const struct zc_queue_group *group = &device->groups[i];
        properties[i].flags = group->flags;
        properties[i].maxMemoryFillPatternSize = group->max_fill_pattern;
        properties[i].numQueues = group->queue_count;
    }
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetMemoryProperties(
    ze_device_handle_t device, uint32_t *count, ze_device_memory_properties_t *properties)
{
    ZC_REQUIRE_HANDLE(device);
    ZC_REQUIRE_POINTER(count);
    if (!zc_clamp_count(count, 1) || !properties)
        return ZE_RESULT_SUCCESS;
    properties->flags = 0;
    properties->maxClockRate = 0;
    properties->maxBusWidth = 64;
    properties->totalSize = device->total_memory;
    snprintf(properties->name, sizeof properties->name, "main memory");
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetMemoryAccessProperties(
    ze_device_handle_t device, ze_device_memory_access_properties_t *properties)
{
    ZC_REQUIRE_HANDLE(device);
    ZC_REQUIRE_POINTER(properties);
    const struct zc_memory_access *access = &device->persona->access;
    properties->hostAllocCapabilities = access->host;
    properties->deviceAllocCapabilities = access->device;
    properties->sharedSingleDeviceAllocCapabilities = access->shared;
    properties->sharedCrossDeviceAllocCapabilities = access->cross_shared;
    properties->sharedSystemAllocCapabilities = access->system;
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetCacheProperties(
    ze_device_handle_t device, uint32_t *count, ze_device_cache_properties_t *properties)
{
    ZC_REQUIRE_HANDLE(device);
    ZC_REQUIRE_POINTER(count);
    if (!zc_clamp_count(count, 1) || !properties)
        return ZE_RESULT_SUCCESS;
    const long size = sysconf(_SC_LEVEL3_CACHE_SIZE);
    properties->flags = 0;
    properties->cacheSize = size > 0 ? (size_t)size : 0;
    ze_cache_reservation_ext_desc_t *reservation =
        zc_find_properties(properties->pNext, ZE_STRUCTURE_TYPE_CACHE_RESERVATION_EXT_DESC);
    if (reservation)
        reservation->maxCacheReservationSize = 0;
    return ZE_RESULT_SUCCESS;
}

// The processor's caches can't be divided: nothing is reserved, and giving that up succeeds.
ze_result_t zeDeviceReserveCacheExt(ze_device_handle_t device, size_t level, size_t size)
{
    (void)level;
    ZC_REQUIRE_HANDLE(device);
    ZC_REQUIRE(!size, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceSetCacheAdviceExt(
    ze_device_handle_t device, void *pointer, size_t pages, ze_cache_ext_region_t region)
{
    (void)pages;
    ZC_REQUIRE_HANDLE(device);
    ZC_REQUIRE_POINTER(pointer);
    ZC_REQUIRE(region <= ZE_CACHE_EXT_REGION_ZE_CACHE_NON_RESERVED_REGION,
        ZE_RESULT_ERROR_INVALID_ENUMERATION);
    ZC_REQUIRE(
        region != ZE_CACHE_EXT_REGION_ZE_CACHE_RESERVE_REGION, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetExternalMemoryProperties(
    ze_device_handle_t device, ze_device_external_memory_properties_t *properties)
{
    ZC_REQUIRE_HANDLE(device);
    ZC_REQUIRE_POINTER(properties);
    *properties = (ze_device_external_memory_properties_t){
        .stype = properties->stype,
        .pNext = properties->pNext,
        .memoryAllocationImportTypes = ZC_EXTERNAL_TYPES,
        .memoryAllocationExportTypes = ZC_EXTERNAL_TYPES,
    };
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetP2PProperties(
    ze_device_handle_t device, ze_device_handle_t peer, ze_device_p2p_properties_t *properties)
{
    ZC_REQUIRE_HANDLE(device);
    ZC_REQUIRE_HANDLE(peer);
    ZC_REQUIRE_POINTER(properties);
    properties->flags = ZE_DEVICE_P2P_PROPERTY_FLAG_ACCESS | ZE_DEVICE_P2P_PROPERTY_FLAG_ATOMICS;
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceCanAccessPeer(
    ze_device_handle_t device, ze_device_handle_t peer, ze_bool_t *value)
{
    ZC_REQUIRE_HANDLE(device);
    ZC_REQUIRE_HANDLE(peer);
    ZC_REQUIRE_POINTER(value);
    *value = true; // all are parts of one machine
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetStatus(ze_device_handle_t device)
{
    ZC_REQUIRE_HANDLE(device);
    return zc_are_lost(zc_device_bit(device)) ? ZE_RESULT_ERROR_DEVICE_LOST : ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetGlobalTimestamps(
    ze_device_handle_t device, uint64_t *host_timestamp, uint64_t *device_timestamp)
{
    ZC_REQUIRE_HANDLE(device);
    ZC_REQUIRE_POINTER(host_timestamp);
    ZC_REQUIRE_POINTER(device_timestamp);
    *host_timestamp = *device_timestamp = zc_now();
    return ZE_RESULT_SUCCESS;
}
