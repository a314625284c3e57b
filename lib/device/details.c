// SPDX-License-Identifier: MIT
//
// What a device is made of: mez_device_get_details.

#include "device/platform.h"

#include <string.h>

#include "aspect/aspect.h"
#include "base/alloc.h"
#include "traced_calls.h"
#include "ze/loader.h"

#define MOST 16 // memories, caches, queue groups; no driver has as many

struct mez_known_device {
    mez_device_details details; // whose lists lead into the rest

    mez_device_memory memories[MOST];
    const mez_device_memory *memory_list[MOST];
    char names[MOST][ZE_MAX_DEVICE_NAME];

    mez_device_cache caches[MOST];
    const mez_device_cache *cache_list[MOST];

    mez_queue_group groups[MOST];
    const mez_queue_group *group_list[MOST];

    const char *aspects[MEZ_ASPECT_COUNT];
};

// Not among those that every loader must have.
typedef struct functions {
    __typeof__(&zeDeviceGetCacheProperties) zeDeviceGetCacheProperties;
    __typeof__(&zeDevicePciGetPropertiesExt) zeDevicePciGetPropertiesExt;
} functions;

static functions find_functions(void)
{
    functions found;
    *(void **)&found.zeDeviceGetCacheProperties =
        mez_ze_find_function("zeDeviceGetCacheProperties");
    *(void **)&found.zeDevicePciGetPropertiesExt =
        mez_ze_find_function("zeDevicePciGetPropertiesExt");
    return found;
}

static bool lists(const mez_device *device, const char *extension)
{
    const mez_caps *caps = &device->platform->caps;
    for (uint32_t i = 0; i < caps->extension_count; i++)
        if (strcmp(caps->extensions[i].name, extension) == 0)
            return true;
    return false;
}

static mez_error read_general(const mez_device *device, mez_device_details *details)
{
    ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
    MEZ_TRY(ZE(zeDeviceGetProperties, device->ze, &properties));
    _Static_assert(sizeof details->uuid == ZE_MAX_DEVICE_UUID_SIZE, "it is copied");
    memcpy(details->uuid, properties.uuid.id, sizeof details->uuid);
    details->core_clock = properties.coreClockRate;
    return mez_ok();
}

// --- PCI

// A device that is on no bus, or whose system does not show it.
static bool is_answer(ze_result_t result)
{
    return result == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE ||
           result == ZE_RESULT_ERROR_UNINITIALIZED || result == ZE_RESULT_ERROR_NOT_AVAILABLE ||
           result == ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE;
}

static mez_error read_address(
    const mez_device *device, const functions *found, mez_device_details *details)
{
    ze_pci_ext_properties_t pci = {.stype = ZE_STRUCTURE_TYPE_PCI_EXT_PROPERTIES};
    if (!found->zeDevicePciGetPropertiesExt || !lists(device, ZE_PCI_PROPERTIES_EXT_NAME))
        return mez_ok();
    const ze_result_t result =
        ZE_NEWER_RESULT(found, zeDevicePciGetPropertiesExt, device->ze, &pci);
    if (is_answer(result))
        return mez_ok();
    MEZ_TRY(mez_ze_checked(result, "zeDevicePciGetPropertiesExt(device)", __FILE__, __LINE__));
    details->has_pci_address = true;
    details->pci_domain = pci.address.domain;
    details->pci_bus = pci.address.bus;
    details->pci_device = pci.address.device;
    details->pci_function = pci.address.function;
    return mez_ok();
}

// --- Memories

static const char *kind_name(ze_device_memory_ext_type_t type)
{
    static const char *const names[] = {"HBM", "HBM2", "DDR", "DDR2", "DDR3", "DDR4", "DDR5",
        "LPDDR", "LPDDR3", "LPDDR4", "LPDDR5", "SRAM", "L1", "L3", "GRF", "SLM", "GDDR4", "GDDR5",
        "GDDR5X", "GDDR6", "GDDR6X", "GDDR7"};
    return (size_t)type < sizeof names / sizeof *names ? names[type] : "";
}

static void take_memory(struct mez_known_device *known, uint32_t i,
    const ze_device_memory_properties_t *properties, const ze_device_memory_ext_properties_t *more)
{
    mez_device_memory *memory = &known->memories[i];
    memcpy(known->names[i], properties->name, sizeof known->names[i] - 1);
    *memory = (mez_device_memory){
        .name = known->names[i],
        .kind = more ? kind_name(more->type) : "",
        .size = properties->totalSize,
        .physical_size = more ? more->physicalSize : 0,
        .clock = properties->maxClockRate,
        .bus_width = properties->maxBusWidth,
    };
    known->memory_list[i] = memory;
}

static mez_error read_memories(const mez_device *device, struct mez_known_device *known)
{
    const bool has_more = lists(device, ZE_DEVICE_MEMORY_PROPERTIES_EXT_NAME);
    ze_device_memory_properties_t properties[MOST];
    ze_device_memory_ext_properties_t more[MOST];
    for (uint32_t i = 0; i < MOST; i++) {
        more[i] = (ze_device_memory_ext_properties_t){
            .stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_EXT_PROPERTIES,
            .type = ZE_DEVICE_MEMORY_EXT_TYPE_FORCE_UINT32};
        properties[i] =
            (ze_device_memory_properties_t){.stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_PROPERTIES,
                .pNext = has_more ? &more[i] : NULL};
    }
    uint32_t count = MOST;
    MEZ_TRY(ZE(zeDeviceGetMemoryProperties, device->ze, &count, properties));
    for (uint32_t i = 0; i < count; i++)
        take_memory(known, i, &properties[i], has_more ? &more[i] : NULL);
    known->details.memory_count = count;
    known->details.memories = known->memory_list;
    return mez_ok();
}

// --- Caches and queues

static mez_error read_caches(
    const mez_device *device, const functions *found, struct mez_known_device *known)
{
    ze_device_cache_properties_t properties[MOST];
    for (uint32_t i = 0; i < MOST; i++)
        properties[i] =
            (ze_device_cache_properties_t){.stype = ZE_STRUCTURE_TYPE_DEVICE_CACHE_PROPERTIES};
    uint32_t count = MOST;
    known->details.caches = known->cache_list;
    if (!found->zeDeviceGetCacheProperties)
        return mez_ok();
    const ze_result_t result =
        ZE_NEWER_RESULT(found, zeDeviceGetCacheProperties, device->ze, &count, properties);
    if (is_answer(result))
        return mez_ok();
    MEZ_TRY(mez_ze_checked(result, "zeDeviceGetCacheProperties(device)", __FILE__, __LINE__));
    for (uint32_t i = 0; i < count; i++) {
        known->caches[i].size = properties[i].cacheSize;
        known->caches[i].user_controlled =
            properties[i].flags & ZE_DEVICE_CACHE_PROPERTY_FLAG_USER_CONTROL;
        known->cache_list[i] = &known->caches[i];
    }
    known->details.cache_count = count;
    return mez_ok();
}

static mez_queue_group group_of(const ze_command_queue_group_properties_t *properties)
{
    const ze_command_queue_group_property_flags_t flags = properties->flags;
    return (mez_queue_group){
        .queues = properties->numQueues,
        .computes = flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE,
        .copies = flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY,
        .cooperative = flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COOPERATIVE_KERNELS,
        .metrics = flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_METRICS,
        .max_fill_pattern = properties->maxMemoryFillPatternSize,
    };
}

static mez_error read_groups(const mez_device *device, struct mez_known_device *known)
{
    ze_command_queue_group_properties_t properties[MOST];
    for (uint32_t i = 0; i < MOST; i++)
        properties[i] = (ze_command_queue_group_properties_t){
            .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_GROUP_PROPERTIES};
    uint32_t count = MOST;
    MEZ_TRY(ZE(zeDeviceGetCommandQueueGroupProperties, device->ze, &count, properties));
    for (uint32_t i = 0; i < count; i++) {
        known->groups[i] = group_of(&properties[i]);
        known->group_list[i] = &known->groups[i];
    }
    known->details.queue_group_count = count;
    known->details.queue_groups = known->group_list;
    return mez_ok();
}

static void list_aspects(const mez_device *device, struct mez_known_device *known)
{
    for (uint32_t i = 0; i < MEZ_ASPECT_COUNT; i++)
        if (mez_target_has(&device->target, (mez_aspect)i))
            known->aspects[known->details.aspect_count++] = mez_aspect_name((mez_aspect)i);
    known->details.aspects = known->aspects;
}

// --- Calls

static mez_error read_all(const mez_device *device, struct mez_known_device *known)
{
    const functions found = find_functions();
    MEZ_TRY(read_general(device, &known->details));
    MEZ_TRY(read_address(device, &found, &known->details));
    MEZ_TRY(read_memories(device, known));
    MEZ_TRY(read_caches(device, &found, known));
    MEZ_TRY(read_groups(device, known));
    list_aspects(device, known);
    return mez_ok();
}

// Of several threads that ask at the same time the first one's answer stays.
static mez_error ask(mez_device *device, struct mez_known_device **known)
{
    struct mez_known_device *made = mez_new(struct mez_known_device);
    if (!made)
        return mez_error_no_memory("what is known of a device");
    const mez_error error = read_all(device, made);
    if (!mez_failed(error) && atomic_compare_exchange_strong(&device->details, known, made)) {
        *known = made;
        return error;
    }
    mez_free_memory(made);
    return error;
}

MEZ_TRACE_BODY mez_error get_details(
    const mez_location *where, mez_device *device, const mez_device_details **details)
{
    struct mez_known_device *known = atomic_load(&device->details);
    const mez_error error = known ? mez_ok() : ask(device, &known);
    if (mez_failed(error))
        return mez_platform_note_loss(device->platform, mez_error_add_place(error, where));
    *details = &known->details;
    return error;
}

MEZ_TRACED_CALL(mez_device_get_details, get_details)

mez_error mez_device_get_details_at(
    const mez_location *where, mez_device *device, const mez_device_details **details)
{
    MEZ_REQUIRE(details, where);
    *details = NULL;
    MEZ_REQUIRE(device, where);
    MEZ_TRACE_CALL(mez_device_get_details, where, get_details, where, device, details);
}

void mez_devices_forget_details(mez_platform *platform)
{
    for (uint32_t i = 0; i < platform->device_total; i++)
        mez_free_memory(atomic_load(&platform->devices[i].details));
}
