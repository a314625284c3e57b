// SPDX-License-Identifier: MIT

#include "device/device.h"

#include <string.h>

#include "base/alloc.h"
#include "device/platform.h"

static mez_device_type type_of(ze_device_type_t type)
{
    switch (type) {
    case ZE_DEVICE_TYPE_GPU:
        return MEZ_DEVICE_GPU;
    case ZE_DEVICE_TYPE_CPU:
        return MEZ_DEVICE_CPU;
    default:
        return MEZ_DEVICE_OTHER;
    }
}

static mez_error read_general(mez_device *device)
{
    const ze_structure_type_t type = mez_clock_structure_type(device->platform->caps.api_version);
    ze_device_properties_t properties = {.stype = type};
    MEZ_TRY(ZE(zeDeviceGetProperties, device->ze, &properties));
    properties.stype = type; // some drivers leave it, some do not
    device->clock = mez_clock_of(&properties);
    memcpy(device->name, properties.name, sizeof device->name);
    device->name[sizeof device->name - 1] = '\0';

    mez_device_info *info = &device->info;
    info->name = device->name;
    info->type = type_of(properties.type);
    info->vendor_id = properties.vendorId;
    info->device_id = properties.deviceId;
    info->is_sub_device = properties.flags & ZE_DEVICE_PROPERTY_FLAG_SUBDEVICE;
    info->sub_device_number = info->is_sub_device ? properties.subdeviceId : 0;
    info->integrated = properties.flags & ZE_DEVICE_PROPERTY_FLAG_INTEGRATED;
    info->max_alloc_size = properties.maxMemAllocSize;
    info->compute_units =
        properties.numSlices * properties.numSubslicesPerSlice * properties.numEUsPerSubslice;
    return mez_ok();
}

static mez_error read_compute(mez_device *device)
{
    ze_device_compute_properties_t compute = {.stype = ZE_STRUCTURE_TYPE_DEVICE_COMPUTE_PROPERTIES};
    MEZ_TRY(ZE(zeDeviceGetComputeProperties, device->ze, &compute));
    device->info.max_group_size = compute.maxTotalGroupSize;
    device->info.max_group_sizes[0] = compute.maxGroupSizeX;
    device->info.max_group_sizes[1] = compute.maxGroupSizeY;
    device->info.max_group_sizes[2] = compute.maxGroupSizeZ;
    device->info.max_group_counts[0] = compute.maxGroupCountX;
    device->info.max_group_counts[1] = compute.maxGroupCountY;
    device->info.max_group_counts[2] = compute.maxGroupCountZ;
    device->info.local_memory = compute.maxSharedLocalMemory;

    uint32_t count = compute.numSubGroupSizes;
    if (count > MEZ_MAX_SUB_GROUP_SIZES)
        count = MEZ_MAX_SUB_GROUP_SIZES;
    device->info.sub_group_size_count = count;
    memcpy(device->info.sub_group_sizes, compute.subGroupSizes, count * sizeof(uint32_t));
    return mez_ok();
}

static mez_error read_module(mez_device *device)
{
    ze_device_module_properties_t module = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES};
    MEZ_TRY(ZE(zeDeviceGetModuleProperties, device->ze, &module));
    device->info.spirv_version = module.spirvVersionSupported;
    device->info.fp16 = module.flags & ZE_DEVICE_MODULE_FLAG_FP16;
    device->info.fp64 = module.flags & ZE_DEVICE_MODULE_FLAG_FP64;
    device->info.int64_atomics = module.flags & ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS;
    device->info.max_argument_size = module.maxArgumentsSize;
    return mez_ok();
}

static mez_error read_memory(mez_device *device)
{
    uint32_t count = 0;
    MEZ_TRY(ZE(zeDeviceGetMemoryProperties, device->ze, &count, NULL));
    if (count == 0)
        return mez_ok();
    ze_device_memory_properties_t *memories = mez_alloc_array(count, sizeof *memories);
    if (!memories)
        return mez_error_no_memory("a device's memory properties");
    for (uint32_t i = 0; i < count; i++)
        memories[i].stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_PROPERTIES;
    const mez_error error = ZE(zeDeviceGetMemoryProperties, device->ze, &count, memories);
    for (uint32_t i = 0; !mez_failed(error) && i < count; i++)
        device->info.memory_size += memories[i].totalSize;
    mez_free_memory(memories);
    return error;
}

static mez_error read_sharing(mez_device *device)
{
    device->access = (ze_device_memory_access_properties_t){
        .stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_ACCESS_PROPERTIES};
    MEZ_TRY(ZE(zeDeviceGetMemoryAccessProperties, device->ze, &device->access));
    const ze_memory_access_cap_flags_t shared = device->access.sharedSingleDeviceAllocCapabilities;
    device->shares_finely =
        device->info.integrated || shared & ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT;
    return mez_ok();
}

// Of each sort of group the first counts.
static void note_group(
    mez_device *device, uint32_t ordinal, const ze_command_queue_group_properties_t *group)
{
    const bool computes = group->flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE;
    const bool copies = group->flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY;
    mez_engine *engine = computes ? &device->compute : &device->copy;
    if (engine->queues > 0 || group->numQueues == 0 || !(computes || copies))
        return;
    *engine = (mez_engine){
        .name = computes ? "compute" : "copy",
        .ordinal = ordinal,
        .queues = group->numQueues,
        .max_fill_pattern = (uint32_t)group->maxMemoryFillPatternSize,
        .computes = computes,
    };
    if (computes)
        device->cooperative =
            group->flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COOPERATIVE_KERNELS;
}

static mez_error choose_engines(mez_device *device)
{
    ze_command_queue_group_properties_t groups[16];
    for (size_t i = 0; i < 16; i++)
        groups[i] = (ze_command_queue_group_properties_t){
            .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_GROUP_PROPERTIES};
    uint32_t count = 16;
    MEZ_TRY(ZE(zeDeviceGetCommandQueueGroupProperties, device->ze, &count, groups));
    for (uint32_t i = 0; i < count; i++)
        note_group(device, i, &groups[i]);
    if (device->compute.queues > 0)
        return mez_ok();
    return mez_error_make(
        MEZ_ERRC_PLATFORM, "device \"%s\" has no queue group that runs kernels", device->name);
}

mez_error mez_device_init(mez_device *device, ze_device_handle_t ze)
{
    device->ze = ze;
    MEZ_TRY(read_general(device));
    MEZ_TRY(read_compute(device));
    MEZ_TRY(read_module(device));
    MEZ_TRY(read_memory(device));
    MEZ_TRY(read_sharing(device));
    MEZ_TRY(mez_device_read_target(device));
    return choose_engines(device);
}

const mez_device_info *mez_device_get_info(const mez_device *device)
{
    return device ? &device->info : NULL;
}

uint32_t mez_device_get_sub_device_count(const mez_device *device)
{
    return device ? device->sub_device_count : 0;
}

mez_device *mez_device_get_sub_device(const mez_device *device, uint32_t index)
{
    if (index >= mez_device_get_sub_device_count(device))
        return NULL;
    return &device->platform->devices[device->first_sub_device + index];
}

mez_device *mez_device_get_parent(const mez_device *device)
{
    if (!device || device->parent == device->index)
        return NULL;
    return &device->platform->devices[device->parent];
}

// --- Its clock

#define SECOND 1000000000u // ns

mez_clock mez_clock_of(const ze_device_properties_t *properties)
{
    return (mez_clock){
        .resolution = properties->timerResolution,
        .per_second = properties->stype == ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2,
        .valid_bits = properties->kernelTimestampValidBits,
    };
}

// In two parts, as the product of large numbers does not fit 64 bits.
static uint64_t nanoseconds(const mez_clock *clock, uint64_t ticks)
{
    const uint64_t resolution = clock->resolution;
    if (!clock->per_second)
        return ticks * resolution;
    return ticks / resolution * SECOND + ticks % resolution * SECOND / resolution;
}

void mez_clock_convert(const mez_clock *clock, uint64_t *start, uint64_t *end)
{
    const bool all = clock->valid_bits == 0 || clock->valid_bits >= 64;
    const uint64_t mask = all ? UINT64_MAX : (UINT64_C(1) << clock->valid_bits) - 1;
    const uint64_t first = *start & mask, length = (*end - *start) & mask;
    *start = nanoseconds(clock, first);
    *end = nanoseconds(clock, first + length);
}
