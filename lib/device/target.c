// SPDX-License-Identifier: MIT
//
// What a live device has, as a target. It is read once, when the context is created.

#include "device/device.h"

#include <string.h>

#include "check/check.h"
#include "device/platform.h"

// What the host is called as a target. Where it is something else, nothing is known of it.
#if defined(__x86_64__)
#define HOST_TARGET "x86_64"
#elif defined(__aarch64__)
#define HOST_TARGET "aarch64"
#else
#define HOST_TARGET MEZ_TARGET_UNKNOWN
#endif

// --- Which one it is

// 0: the driver does not report it.
static mez_error read_ip_version(const mez_device *device, uint32_t *ip_version)
{
    ze_newer_device_ip_version_ext_t ip = {.stype = ZE_NEWER_STRUCTURE_TYPE_DEVICE_IP_VERSION_EXT};
    ze_device_properties_t properties = {
        .stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES, .pNext = &ip};
    if (device->platform->caps.ip_version)
        MEZ_TRY(ZE(zeDeviceGetProperties, device->ze, &properties));
    *ip_version = ip.ipVersion;
    return mez_ok();
}

// NULL: not known. Where the driver reports an ip version, that counts, whatever the PCI id.
static const mez_target *find_target(
    const mez_targets *targets, const mez_device *device, uint32_t ip_version)
{
    if (ip_version != 0)
        return mez_targets_find_ip(targets, ip_version);
    const mez_device_info *info = &device->info;
    const mez_target *target = mez_targets_find_pci(targets, info->vendor_id, info->device_id);
    if (target || info->type != MEZ_DEVICE_CPU)
        return target;
    return mez_targets_find(targets, HOST_TARGET, NULL);
}

static const char *name_of(const mez_device *device, const mez_target *known)
{
    if (known)
        return known->name;
    return device->info.type == MEZ_DEVICE_CPU ? HOST_TARGET : MEZ_TARGET_UNKNOWN;
}

static void set_ip_versions(mez_target *target, const mez_target *known, uint32_t ip_version)
{
    if (ip_version != 0) {
        target->ip_versions[0] = ip_version;
        target->ip_version_count = 1;
    } else if (known) {
        memcpy(target->ip_versions, known->ip_versions, sizeof target->ip_versions);
        target->ip_version_count = known->ip_version_count;
    }
}

// --- What it has

static void add_if(mez_target *target, bool has, mez_aspect aspect)
{
    if (has)
        mez_aspects_add(&target->aspects, aspect);
}

static void add_all(mez_target *target, const mez_aspect *aspects, size_t count)
{
    for (size_t i = 0; i < count; i++)
        mez_aspects_add(&target->aspects, aspects[i]);
}

#define ADD_ALL(target, list) add_all(target, list, sizeof(list) / sizeof *(list))

// What every Level Zero driver compiles and does.
static const mez_aspect always[] = {
    MEZ_ASPECT_online_compiler,
    MEZ_ASPECT_online_linker,
    MEZ_ASPECT_queue_profiling,
    MEZ_ASPECT_ext_oneapi_native_assert, // where the driver has none, our device library has
    MEZ_ASPECT_ext_oneapi_private_alloca,
    MEZ_ASPECT_ext_oneapi_virtual_functions,
    MEZ_ASPECT_ext_oneapi_ballot_group,
    MEZ_ASPECT_ext_oneapi_fixed_size_group,
    MEZ_ASPECT_ext_oneapi_opportunistic_group,
    MEZ_ASPECT_ext_oneapi_tangle_group,
    MEZ_ASPECT_ext_intel_device_id,
    MEZ_ASPECT_ext_intel_device_info_uuid,
};

// What Intel's drivers report of every GPU, and what only their GPUs run.
static const mez_aspect intel_gpu[] = {
    MEZ_ASPECT_ext_intel_esimd,
    MEZ_ASPECT_ext_intel_pci_address,
    MEZ_ASPECT_ext_intel_gpu_eu_count,
    MEZ_ASPECT_ext_intel_gpu_eu_simd_width,
    MEZ_ASPECT_ext_intel_gpu_slices,
    MEZ_ASPECT_ext_intel_gpu_subslices_per_slice,
    MEZ_ASPECT_ext_intel_gpu_eu_count_per_subslice,
    MEZ_ASPECT_ext_intel_gpu_hw_threads_per_eu,
    MEZ_ASPECT_ext_intel_memory_clock_rate,
    MEZ_ASPECT_ext_intel_memory_bus_width,
    MEZ_ASPECT_ext_intel_spill_memory_size,
};

static void add_kind(mez_target *target, const mez_device_info *info)
{
    const bool gpu = info->type == MEZ_DEVICE_GPU;
    add_if(target, gpu, MEZ_ASPECT_gpu);
    add_if(target, info->type == MEZ_DEVICE_CPU, MEZ_ASPECT_cpu);
    add_if(target, gpu && info->integrated, MEZ_ASPECT_ext_oneapi_is_integrated_gpu);
    if (gpu && info->vendor_id == MEZ_PCI_VENDOR_INTEL)
        ADD_ALL(target, intel_gpu);
}

static void add_arithmetic(mez_target *target, const mez_device_info *info)
{
    add_if(target, info->fp16, MEZ_ASPECT_fp16);
    add_if(target, info->fp64, MEZ_ASPECT_fp64);
    add_if(target, info->int64_atomics, MEZ_ASPECT_atomic64);
    add_if(target, info->int64_atomics, MEZ_ASPECT_int64_base_atomics);
    add_if(target, info->int64_atomics, MEZ_ASPECT_int64_extended_atomics);
}

static void add_memory(mez_target *target, const ze_device_memory_access_properties_t *access)
{
    const ze_memory_access_cap_flags_t use = ZE_MEMORY_ACCESS_CAP_FLAG_RW;
    const ze_memory_access_cap_flags_t atomic = ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT_ATOMIC;
    const ze_memory_access_cap_flags_t device = access->deviceAllocCapabilities;
    const ze_memory_access_cap_flags_t host = access->hostAllocCapabilities;
    const ze_memory_access_cap_flags_t shared = access->sharedSingleDeviceAllocCapabilities;
    const ze_memory_access_cap_flags_t system = access->sharedSystemAllocCapabilities;
    add_if(target, device & use, MEZ_ASPECT_usm_device_allocations);
    add_if(target, host & use, MEZ_ASPECT_usm_host_allocations);
    add_if(target, host & atomic, MEZ_ASPECT_usm_atomic_host_allocations);
    add_if(target, shared & use, MEZ_ASPECT_usm_shared_allocations);
    add_if(target, shared & atomic, MEZ_ASPECT_usm_atomic_shared_allocations);
    add_if(target, system & use, MEZ_ASPECT_usm_system_allocations);
}

// By what kernels can do with images: newer toolchains never give a device the aspect `image`, which SYCL 2020 wants more for.
static mez_error add_images(mez_target *target, const mez_device *device)
{
    ze_device_image_properties_t images = {.stype = ZE_STRUCTURE_TYPE_DEVICE_IMAGE_PROPERTIES};
    const mez_error error = ZE(zeDeviceGetImageProperties, device->ze, &images);
    if (mez_error_is(error, MEZ_ERRC_FEATURE_NOT_SUPPORTED))
        return mez_ok();
    MEZ_TRY(error);
    add_if(target, images.maxImageDims1D > 0, MEZ_ASPECT_image);
    add_if(target, images.maxImageDims1D > 0, MEZ_ASPECT_ext_intel_legacy_image);
    return mez_ok();
}

static void set_sizes(mez_target *target, const mez_device_info *info)
{
    _Static_assert(MEZ_MAX_SUB_GROUP_SIZES <= MEZ_TARGET_SUB_GROUP_SIZES, "all must fit");
    target->sub_group_size_count = info->sub_group_size_count;
    memcpy(target->sub_group_sizes, info->sub_group_sizes, sizeof info->sub_group_sizes);
    target->max_group_size = info->max_group_size;
    memcpy(target->max_group_sizes, info->max_group_sizes, sizeof info->max_group_sizes);
    target->max_local_memory = info->local_memory;
    target->max_argument_size = info->max_argument_size;
}

mez_error mez_device_read_target(mez_device *device)
{
    const mez_targets *targets;
    uint32_t ip_version;
    MEZ_TRY(mez_targets_get_default(&targets));
    MEZ_TRY(read_ip_version(device, &ip_version));
    const mez_target *known = find_target(targets, device, ip_version);
    mez_target *target = &device->target;
    *target = (mez_target){.name = name_of(device, known),
        .aspects_known = true,
        .aot_toolchain = "",
        .aot_options = ""};
    target->compiler = mez_igc_of_driver(device->platform->caps.driver_version);
    target->spirv_version = device->info.spirv_version;
    set_ip_versions(target, known, ip_version);
    set_sizes(target, &device->info);
    ADD_ALL(target, always);
    add_kind(target, &device->info);
    add_arithmetic(target, &device->info);
    add_memory(target, &device->access);
    add_if(target, known && mez_aspects_has(&known->aspects, MEZ_ASPECT_ext_intel_matrix),
        MEZ_ASPECT_ext_intel_matrix);
    mez_log(DEVICE, DEBUG, "device \"%s\": architecture %s, ip version 0x%08x", device->name,
        target->name, ip_version);
    return add_images(target, device);
}

const char *mez_device_get_architecture(const mez_device *device)
{
    return device ? device->target.name : MEZ_TARGET_UNKNOWN;
}

const mez_target *mez_device_get_target(const mez_device *device)
{
    return device ? &device->target : NULL;
}

bool mez_device_has_aspect(const mez_device *device, const char *name)
{
    if (!device || !name)
        return false;
    const mez_aspect aspect = mez_aspect_find(name, strlen(name));
    return aspect != MEZ_ASPECT_NONE && mez_target_has(&device->target, aspect);
}

// --- For checks

mez_check_device mez_device_to_check(const mez_device *device)
{
    return mez_check_device_of(device->info.name, &device->target);
}
