// SPDX-License-Identifier: MIT
//
// Are the types and values of ze_newer.h those of the headers, as far as the installed ones know them? There is nothing here except for
// the compiler.

#include "ze_newer.h"

#include <stddef.h>

#ifdef ZE_API_VERSION_CURRENT_M
#define HEADERS_HAVE(minor) (ZE_API_VERSION_CURRENT_M >= ZE_MAKE_VERSION(1, minor))
#else
#define HEADERS_HAVE(minor) 0
#endif

// Each takes names as the specification has them, less the first ZE_ or ze_.
#define SAME_VALUE(name) \
    _Static_assert((unsigned long long)(ZE_NEWER_##name) == (unsigned long long)(ZE_##name), #name)
#define SAME_NAME(name) \
    _Static_assert(sizeof ZE_NEWER_##name == sizeof ZE_##name, "the length of " #name)
#define SAME_SIZE(type) _Static_assert(sizeof(ze_newer_##type) == sizeof(ze_##type), #type)
#define SAME_FIELD(type, field)                                                            \
    _Static_assert(offsetof(ze_newer_##type, field) == offsetof(ze_##type, field) &&       \
                       sizeof((ze_newer_##type){0}.field) == sizeof((ze_##type){0}.field), \
        #type "." #field)
#define SAME_CHAIN(type)     \
    SAME_SIZE(type);         \
    SAME_FIELD(type, stype); \
    SAME_FIELD(type, pNext)

#ifdef ZE_IMAGE_VIEW_EXT_NAME
SAME_NAME(IMAGE_VIEW_EXT_NAME);
SAME_VALUE(STRUCTURE_TYPE_IMAGE_VIEW_PLANAR_EXT_DESC);
#endif

#if HEADERS_HAVE(7)
SAME_VALUE(EVENT_POOL_FLAG_KERNEL_MAPPED_TIMESTAMP);
SAME_VALUE(COMMAND_QUEUE_FLAG_IN_ORDER);
SAME_VALUE(COMMAND_LIST_FLAG_IN_ORDER);
#endif

#ifdef ZE_EVENT_QUERY_KERNEL_TIMESTAMPS_EXT_NAME
SAME_NAME(EVENT_QUERY_KERNEL_TIMESTAMPS_EXT_NAME);
SAME_VALUE(STRUCTURE_TYPE_EVENT_QUERY_KERNEL_TIMESTAMPS_EXT_PROPERTIES);
SAME_VALUE(EVENT_QUERY_KERNEL_TIMESTAMPS_EXT_FLAG_KERNEL);
SAME_VALUE(EVENT_QUERY_KERNEL_TIMESTAMPS_EXT_FLAG_SYNCHRONIZED);
SAME_CHAIN(event_query_kernel_timestamps_ext_properties_t);
SAME_FIELD(event_query_kernel_timestamps_ext_properties_t, flags);
SAME_SIZE(synchronized_timestamp_data_ext_t);
SAME_FIELD(synchronized_timestamp_data_ext_t, kernelEnd);
SAME_SIZE(synchronized_timestamp_result_ext_t);
SAME_FIELD(synchronized_timestamp_result_ext_t, context);
SAME_CHAIN(event_query_kernel_timestamps_results_ext_properties_t);
SAME_FIELD(event_query_kernel_timestamps_results_ext_properties_t, pKernelTimestampsBuffer);
SAME_FIELD(event_query_kernel_timestamps_results_ext_properties_t, pSynchronizedTimestampsBuffer);
#endif

#ifdef ZE_DEVICE_IP_VERSION_EXT_NAME
SAME_NAME(DEVICE_IP_VERSION_EXT_NAME);
SAME_VALUE(STRUCTURE_TYPE_DEVICE_IP_VERSION_EXT);
SAME_CHAIN(device_ip_version_ext_t);
SAME_FIELD(device_ip_version_ext_t, ipVersion);
#endif

#ifdef ZE_EVENT_POOL_COUNTER_BASED_EXP_NAME
SAME_NAME(EVENT_POOL_COUNTER_BASED_EXP_NAME);
SAME_VALUE(STRUCTURE_TYPE_COUNTER_BASED_EVENT_POOL_EXP_DESC);
SAME_VALUE(EVENT_POOL_COUNTER_BASED_EXP_FLAG_IMMEDIATE);
SAME_VALUE(EVENT_POOL_COUNTER_BASED_EXP_FLAG_NON_IMMEDIATE);
SAME_CHAIN(event_pool_counter_based_exp_desc_t);
SAME_FIELD(event_pool_counter_based_exp_desc_t, flags);
#endif

#ifdef ZE_IMMEDIATE_COMMAND_LIST_APPEND_EXP_NAME
SAME_NAME(IMMEDIATE_COMMAND_LIST_APPEND_EXP_NAME);
#endif

#ifdef ZE_BINDLESS_IMAGE_EXP_NAME
SAME_VALUE(IMAGE_FORMAT_LAYOUT_8_8_8);
SAME_VALUE(IMAGE_FORMAT_LAYOUT_16_16_16);
SAME_VALUE(IMAGE_FORMAT_LAYOUT_32_32_32);
SAME_NAME(BINDLESS_IMAGE_EXP_NAME);
SAME_VALUE(STRUCTURE_TYPE_BINDLESS_IMAGE_EXP_DESC);
SAME_VALUE(STRUCTURE_TYPE_PITCHED_IMAGE_EXP_DESC);
SAME_VALUE(IMAGE_BINDLESS_EXP_FLAG_BINDLESS);
SAME_CHAIN(image_bindless_exp_desc_t);
SAME_FIELD(image_bindless_exp_desc_t, flags);
SAME_CHAIN(image_pitched_exp_desc_t);
SAME_FIELD(image_pitched_exp_desc_t, ptr);
SAME_VALUE(STRUCTURE_TYPE_PITCHED_ALLOC_DEVICE_EXP_PROPERTIES);
SAME_CHAIN(device_pitched_alloc_exp_properties_t);
SAME_FIELD(device_pitched_alloc_exp_properties_t, maxImageLinearWidth);
SAME_FIELD(device_pitched_alloc_exp_properties_t, maxImageLinearHeight);
#endif

#if HEADERS_HAVE(10)
SAME_VALUE(STRUCTURE_TYPE_INIT_DRIVER_TYPE_DESC);
SAME_VALUE(INIT_DRIVER_TYPE_FLAG_GPU);
SAME_CHAIN(init_driver_type_desc_t);
SAME_FIELD(init_driver_type_desc_t, flags);
#endif

#if HEADERS_HAVE(14)
SAME_VALUE(COMMAND_QUEUE_FLAG_COPY_OFFLOAD_HINT);
SAME_SIZE(group_size_t);
SAME_FIELD(group_size_t, groupSizeX);
SAME_FIELD(group_size_t, groupSizeY);
SAME_FIELD(group_size_t, groupSizeZ);
SAME_VALUE(STRUCTURE_TYPE_COMMAND_LIST_APPEND_PARAM_COOPERATIVE_DESC);
SAME_CHAIN(command_list_append_launch_kernel_param_cooperative_desc_t);
SAME_FIELD(command_list_append_launch_kernel_param_cooperative_desc_t, isCooperative);
SAME_VALUE(STRUCTURE_TYPE_KERNEL_ALLOCATION_PROPERTIES);
SAME_CHAIN(kernel_allocation_exp_properties_t);
SAME_FIELD(kernel_allocation_exp_properties_t, base);
SAME_FIELD(kernel_allocation_exp_properties_t, size);
SAME_FIELD(kernel_allocation_exp_properties_t, type);
SAME_FIELD(kernel_allocation_exp_properties_t, argIndex);
#endif

// The structure of Intel's own function, whose stype differs, became that of the specification.
#if HEADERS_HAVE(15)
SAME_CHAIN(event_counter_based_desc_t);
SAME_VALUE(STRUCTURE_TYPE_PHYSICAL_MEM_PROPERTIES);
SAME_CHAIN(physical_mem_properties_t);
SAME_FIELD(physical_mem_properties_t, id);
SAME_FIELD(physical_mem_properties_t, size);
SAME_FIELD(event_counter_based_desc_t, flags);
SAME_FIELD(event_counter_based_desc_t, signal);
SAME_FIELD(event_counter_based_desc_t, wait);
SAME_VALUE(EVENT_COUNTER_BASED_FLAG_IMMEDIATE);
SAME_VALUE(EVENT_COUNTER_BASED_FLAG_NON_IMMEDIATE);
SAME_VALUE(EVENT_COUNTER_BASED_FLAG_HOST_VISIBLE);
SAME_VALUE(EVENT_COUNTER_BASED_FLAG_IPC);
SAME_VALUE(EVENT_COUNTER_BASED_FLAG_DEVICE_TIMESTAMP);
SAME_VALUE(EVENT_COUNTER_BASED_FLAG_HOST_TIMESTAMP);
#endif

#ifdef ZE_IMAGE_FORMAT_SUPPORT_EXT_NAME
SAME_VALUE(IMAGE_FORMAT_SWIZZLE_D);
SAME_NAME(IMAGE_FORMAT_SUPPORT_EXT_NAME);
SAME_VALUE(STRUCTURE_TYPE_IMAGE_FORMAT_SUPPORT_EXT_PROPERTIES);
SAME_CHAIN(image_format_support_ext_properties_t);
SAME_FIELD(image_format_support_ext_properties_t, supported);
#endif

#ifdef ZE_DEVICE_USABLEMEM_SIZE_PROPERTIES_EXT_NAME
SAME_NAME(DEVICE_USABLEMEM_SIZE_PROPERTIES_EXT_NAME);
SAME_VALUE(STRUCTURE_TYPE_DEVICE_USABLEMEM_SIZE_EXT_PROPERTIES);
SAME_CHAIN(device_usablemem_size_ext_properties_t);
SAME_FIELD(device_usablemem_size_ext_properties_t, currUsableMemSize);
#endif
