// SPDX-License-Identifier: MIT
//
// What is used of Level Zero beyond the headers of 1.4, which Debian 12 has. The names are the specification's with NEWER_ or newer_
// behind the first ZE_ or ze_, so that they do not collide with those of newer headers; ze_newer_check.c compares the two. What
// only Intel's drivers have is named so.
//
// ze-cpu, Mezzanine and the tests of both include this file, which stands by itself.

#ifndef ZE_NEWER_H
#define ZE_NEWER_H

#include <level_zero/ze_api.h>

// --- 1.5

// For zeImageViewCreateExt.
#define ZE_NEWER_IMAGE_VIEW_EXT_NAME "ZE_extension_image_view"

// A view of one plane of a media image: in the chain of ze_image_desc_t.
#define ZE_NEWER_STRUCTURE_TYPE_IMAGE_VIEW_PLANAR_EXT_DESC ((ze_structure_type_t)0x00010010)

// --- 1.6

// Timestamps of which the host's clock is known, too.
#define ZE_NEWER_EVENT_POOL_FLAG_KERNEL_MAPPED_TIMESTAMP (1u << 3)

// For zeEventQueryKernelTimestampsExt.
#define ZE_NEWER_EVENT_QUERY_KERNEL_TIMESTAMPS_EXT_NAME "ZE_extension_event_query_kernel_timestamps"
#define ZE_NEWER_STRUCTURE_TYPE_EVENT_QUERY_KERNEL_TIMESTAMPS_EXT_PROPERTIES \
    ((ze_structure_type_t)0x10011)
#define ZE_NEWER_EVENT_QUERY_KERNEL_TIMESTAMPS_EXT_FLAG_KERNEL (1u << 0)
#define ZE_NEWER_EVENT_QUERY_KERNEL_TIMESTAMPS_EXT_FLAG_SYNCHRONIZED (1u << 1)
typedef struct ze_newer_event_query_kernel_timestamps_ext_properties_t {
    ze_structure_type_t stype; // in the chain of ze_device_properties_t
    void *pNext;
    uint32_t flags;
} ze_newer_event_query_kernel_timestamps_ext_properties_t;
typedef struct ze_newer_synchronized_timestamp_data_ext_t {
    uint64_t kernelStart, kernelEnd; // nanoseconds of the host's clock
} ze_newer_synchronized_timestamp_data_ext_t;
typedef struct ze_newer_synchronized_timestamp_result_ext_t {
    ze_newer_synchronized_timestamp_data_ext_t global, context;
} ze_newer_synchronized_timestamp_result_ext_t;
typedef struct ze_newer_event_query_kernel_timestamps_results_ext_properties_t {
    ze_structure_type_t stype;
    void *pNext;
    ze_kernel_timestamp_result_t *pKernelTimestampsBuffer;
    ze_newer_synchronized_timestamp_result_ext_t *pSynchronizedTimestampsBuffer;
} ze_newer_event_query_kernel_timestamps_results_ext_properties_t;

// --- 1.7

// Of queues and immediate lists, and of regular lists. Drivers before it ignore the bits and report nothing.
#define ZE_NEWER_COMMAND_QUEUE_FLAG_IN_ORDER (1u << 1)
#define ZE_NEWER_COMMAND_LIST_FLAG_IN_ORDER (1u << 3)

// Which architecture a device is: in the chain of ze_device_properties_t.
#define ZE_NEWER_DEVICE_IP_VERSION_EXT_NAME "ZE_extension_device_ip_version"
#define ZE_NEWER_STRUCTURE_TYPE_DEVICE_IP_VERSION_EXT ((ze_structure_type_t)0x0001000f)
typedef struct ze_newer_device_ip_version_ext_t {
    ze_structure_type_t stype;
    const void *pNext;
    uint32_t ipVersion;
} ze_newer_device_ip_version_ext_t;

// --- 1.8

// Counter-based events (programming guide, "Counter Based Events"). Such an event stands for the latest command that was given it to
// signal. It is never reset, and counts as happened before the first command; only in-order lists may signal it, any list and the
// host may wait for it.

// Pools of them: in the chain of ze_event_pool_desc_t.
#define ZE_NEWER_EVENT_POOL_COUNTER_BASED_EXP_NAME "ZE_experimental_event_pool_counter_based"
#define ZE_NEWER_STRUCTURE_TYPE_COUNTER_BASED_EVENT_POOL_EXP_DESC ((ze_structure_type_t)0x00020014)
#define ZE_NEWER_EVENT_POOL_COUNTER_BASED_EXP_FLAG_IMMEDIATE (1u << 0)
#define ZE_NEWER_EVENT_POOL_COUNTER_BASED_EXP_FLAG_NON_IMMEDIATE (1u << 1)
typedef struct ze_newer_event_pool_counter_based_exp_desc_t {
    ze_structure_type_t stype;
    const void *pNext;
    uint32_t flags;
} ze_newer_event_pool_counter_based_exp_desc_t;

// --- 1.9

// In the chain of ze_image_desc_t: images that kernels are given as numbers, and images whose texels are memory of the program's, with
// rows as far apart as zeMemGetPitchFor2dImage says.
#define ZE_NEWER_BINDLESS_IMAGE_EXP_NAME "ZE_experimental_bindless_image"
#define ZE_NEWER_STRUCTURE_TYPE_BINDLESS_IMAGE_EXP_DESC ((ze_structure_type_t)0x0002001e)
#define ZE_NEWER_IMAGE_BINDLESS_EXP_FLAG_BINDLESS (1u << 0)
typedef struct ze_newer_image_bindless_exp_desc_t {
    ze_structure_type_t stype;
    const void *pNext;
    uint32_t flags;
} ze_newer_image_bindless_exp_desc_t;
#define ZE_NEWER_STRUCTURE_TYPE_PITCHED_IMAGE_EXP_DESC ((ze_structure_type_t)0x0002001f)
typedef struct ze_newer_image_pitched_exp_desc_t {
    ze_structure_type_t stype;
    const void *pNext;
    void *ptr;
} ze_newer_image_pitched_exp_desc_t;

// For zeCommandListImmediateAppendCommandListsExp.
#define ZE_NEWER_IMMEDIATE_COMMAND_LIST_APPEND_EXP_NAME \
    "ZE_experimental_immediate_command_list_append"

// How large such images may be: in the chain of ze_device_image_properties_t.
#define ZE_NEWER_STRUCTURE_TYPE_PITCHED_ALLOC_DEVICE_EXP_PROPERTIES \
    ((ze_structure_type_t)0x0002001d)
typedef struct ze_newer_device_pitched_alloc_exp_properties_t {
    ze_structure_type_t stype;
    void *pNext;
    size_t maxImageLinearWidth;
    size_t maxImageLinearHeight;
} ze_newer_device_pitched_alloc_exp_properties_t;

// Texels of three channels.
#define ZE_NEWER_IMAGE_FORMAT_LAYOUT_8_8_8 ((ze_image_format_layout_t)43)
#define ZE_NEWER_IMAGE_FORMAT_LAYOUT_16_16_16 ((ze_image_format_layout_t)44)
#define ZE_NEWER_IMAGE_FORMAT_LAYOUT_32_32_32 ((ze_image_format_layout_t)45)

// For zesDeviceGetSubDevicePropertiesExp.
typedef struct zes_newer_subdevice_exp_properties_t {
    uint32_t stype;
    const void *pNext;
    uint32_t subdeviceId;
    ze_device_uuid_t uuid; // zes_uuid_t, which is as long
} zes_newer_subdevice_exp_properties_t;

// --- 1.10

// For zeInitDrivers. All bits: drivers of any type.
#define ZE_NEWER_STRUCTURE_TYPE_INIT_DRIVER_TYPE_DESC ((ze_structure_type_t)0x00020021)
#define ZE_NEWER_INIT_DRIVER_TYPE_FLAG_GPU (1u << 0)
typedef struct ze_newer_init_driver_type_desc_t {
    ze_structure_type_t stype;
    const void *pNext;
    uint32_t flags;
} ze_newer_init_driver_type_desc_t;

// --- 1.14

// Of launches with a chain of parameters: all groups run at the same time.
#define ZE_NEWER_STRUCTURE_TYPE_COMMAND_LIST_APPEND_PARAM_COOPERATIVE_DESC \
    ((ze_structure_type_t)0x00020036)
typedef struct ze_newer_command_list_append_launch_kernel_param_cooperative_desc_t {
    ze_structure_type_t stype;
    const void *pNext;
    ze_bool_t isCooperative;
} ze_newer_command_list_append_launch_kernel_param_cooperative_desc_t;

// Of immediate lists of compute engines: copies may run on other engines.
#define ZE_NEWER_COMMAND_QUEUE_FLAG_COPY_OFFLOAD_HINT (1u << 2)

// For zeCommandListAppendLaunchKernelWithArguments.
typedef struct ze_newer_group_size_t {
    uint32_t groupSizeX, groupSizeY, groupSizeZ;
} ze_newer_group_size_t;

// For zeKernelGetAllocationPropertiesExp.
#define ZE_NEWER_STRUCTURE_TYPE_KERNEL_ALLOCATION_PROPERTIES ((ze_structure_type_t)0x00020039)
typedef struct ze_newer_kernel_allocation_exp_properties_t {
    ze_structure_type_t stype;
    void *pNext;
    uint64_t base;
    size_t size; // bytes
    ze_memory_type_t type;
    uint32_t argIndex;
} ze_newer_kernel_allocation_exp_properties_t;

// --- 1.15

// A single counter-based event, of zeEventCounterBasedCreate. Intel's drivers since 24.45 had it before, as
// zexCounterBasedEventCreate2 with a type of their own.
#define ZE_NEWER_INTEL_COUNTER_BASED_EVENT_NAME "ZEX_counter_based_event"
#define ZE_NEWER_INTEL_STRUCTURE_TYPE_COUNTER_BASED_EVENT_DESC ((ze_structure_type_t)0x0003001c)
#define ZE_NEWER_EVENT_COUNTER_BASED_FLAG_IMMEDIATE (1u << 0)
#define ZE_NEWER_EVENT_COUNTER_BASED_FLAG_NON_IMMEDIATE (1u << 1)
#define ZE_NEWER_EVENT_COUNTER_BASED_FLAG_HOST_VISIBLE (1u << 2)
#define ZE_NEWER_EVENT_COUNTER_BASED_FLAG_IPC (1u << 3)
#define ZE_NEWER_EVENT_COUNTER_BASED_FLAG_DEVICE_TIMESTAMP (1u << 4)
#define ZE_NEWER_EVENT_COUNTER_BASED_FLAG_HOST_TIMESTAMP (1u << 5)
#define ZE_NEWER_EVENT_COUNTER_BASED_FLAG_GRAPH_EXTERNAL_EVENT (1u << 6)
typedef struct ze_newer_event_counter_based_desc_t {
    ze_structure_type_t stype;
    const void *pNext;
    uint32_t flags;
    ze_event_scope_flags_t signal;
    ze_event_scope_flags_t wait;
} ze_newer_event_counter_based_desc_t;

// What of a device's memory is free, in bytes: in the chain of ze_device_properties_t.
#define ZE_NEWER_DEVICE_USABLEMEM_SIZE_PROPERTIES_EXT_NAME \
    "ZE_extension_device_usablemem_size_properties"
#define ZE_NEWER_STRUCTURE_TYPE_DEVICE_USABLEMEM_SIZE_EXT_PROPERTIES \
    ((ze_structure_type_t)0x00020041)
typedef struct ze_newer_device_usablemem_size_ext_properties_t {
    ze_structure_type_t stype;
    void *pNext;
    uint64_t currUsableMemSize;
} ze_newer_device_usablemem_size_ext_properties_t;

// For zePhysicalMemGetProperties.
#define ZE_NEWER_STRUCTURE_TYPE_PHYSICAL_MEM_PROPERTIES ((ze_structure_type_t)0x00020040)
typedef struct ze_newer_physical_mem_properties_t {
    ze_structure_type_t stype;
    void *pNext;
    uint64_t id;
    uint64_t size; // bytes
} ze_newer_physical_mem_properties_t;

// Do images have a format? In the chain of ze_image_properties_t.
#define ZE_NEWER_IMAGE_FORMAT_SUPPORT_EXT_NAME "ZE_extension_image_format_support"
#define ZE_NEWER_STRUCTURE_TYPE_IMAGE_FORMAT_SUPPORT_EXT_PROPERTIES \
    ((ze_structure_type_t)0x00010014)
typedef struct ze_newer_image_format_support_ext_properties_t {
    ze_structure_type_t stype;
    void *pNext;
    ze_bool_t supported;
} ze_newer_image_format_support_ext_properties_t;

// The component of images of depth.
#define ZE_NEWER_IMAGE_FORMAT_SWIZZLE_D ((ze_image_format_swizzle_t)7)

// --- 1.17

// For zeCommandListAppendHostFunction. Must be short and must not call Level Zero.
typedef void ze_newer_host_function_t(void *data);

// --- Of no specification

// A draft of 2021 that no driver of Intel's has: waits return this code for a task whose assert failed. The specification gave the
// number another meaning since.
#define ZE_NEWER_INTEL_ASSERT_RETURN_CODE_NAME "ze_intel_assert_return_code"
#define ZE_NEWER_INTEL_RESULT_ASSERT_FAILED ((ze_result_t)0x70000006)

// Drivers that bring the function that a failed device-side assert calls. The name is OpenCL's.
#define ZE_NEWER_INTEL_DEVICELIB_ASSERT_NAME "cl_intel_devicelib_assert"

#endif
