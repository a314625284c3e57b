// SPDX-License-Identifier: MIT
//
// Are the types and values of newer.h those of the headers, as far as the installed ones know them?
// There is nothing here but for the compiler.
#include "newer.h"

#include <stddef.h>

#ifdef ZE_API_VERSION_CURRENT_M
#define HEADERS_HAVE(minor) (ZE_API_VERSION_CURRENT_M >= ZE_MAKE_VERSION(1, minor))
#else
#define HEADERS_HAVE(minor) 0
#endif

#define SAME_VALUE(ours, theirs) \
    _Static_assert((unsigned long long)(ours) == (unsigned long long)(theirs), #theirs)
#define SAME_NAME(ours, theirs) \
    _Static_assert(sizeof ours == sizeof theirs, "the length of " #theirs)
#define SAME_FIELD(ours, field, theirs, their_field) \
    _Static_assert(offsetof(struct ours, field) == offsetof(theirs, their_field), #their_field)
#define SAME_CHAIN(ours, theirs)                                    \
    _Static_assert(sizeof(struct ours) == sizeof(theirs), #theirs); \
    SAME_FIELD(ours, stype, theirs, stype);                         \
    SAME_FIELD(ours, pNext, theirs, pNext)

#if HEADERS_HAVE(7)
SAME_VALUE(ZC_COMMAND_QUEUE_FLAG_IN_ORDER, ZE_COMMAND_QUEUE_FLAG_IN_ORDER);
SAME_VALUE(ZC_COMMAND_LIST_FLAG_IN_ORDER, ZE_COMMAND_LIST_FLAG_IN_ORDER);
SAME_VALUE(ZC_EVENT_POOL_FLAG_MAPPED_TIMESTAMP, ZE_EVENT_POOL_FLAG_KERNEL_MAPPED_TIMESTAMP);
#endif

#ifdef ZE_DEVICE_IP_VERSION_EXT_NAME
SAME_NAME(ZC_DEVICE_IP_VERSION_NAME, ZE_DEVICE_IP_VERSION_EXT_NAME);
SAME_VALUE(ZC_STRUCTURE_TYPE_DEVICE_IP_VERSION, ZE_STRUCTURE_TYPE_DEVICE_IP_VERSION_EXT);
SAME_CHAIN(zc_device_ip_version, ze_device_ip_version_ext_t);
SAME_FIELD(zc_device_ip_version, ip_version, ze_device_ip_version_ext_t, ipVersion);
#endif

#ifdef ZE_EVENT_POOL_COUNTER_BASED_EXP_NAME
SAME_NAME(ZC_EVENT_POOL_COUNTER_BASED_NAME, ZE_EVENT_POOL_COUNTER_BASED_EXP_NAME);
SAME_VALUE(ZC_STRUCTURE_TYPE_EVENT_POOL_COUNTER_BASED,
    ZE_STRUCTURE_TYPE_COUNTER_BASED_EVENT_POOL_EXP_DESC);
SAME_CHAIN(zc_event_pool_counter_based_desc, ze_event_pool_counter_based_exp_desc_t);
SAME_FIELD(zc_event_pool_counter_based_desc, flags, ze_event_pool_counter_based_exp_desc_t, flags);
#endif

#ifdef ZE_IMMEDIATE_COMMAND_LIST_APPEND_EXP_NAME
SAME_NAME(ZC_IMMEDIATE_APPEND_NAME, ZE_IMMEDIATE_COMMAND_LIST_APPEND_EXP_NAME);
#endif

#if HEADERS_HAVE(10)
SAME_VALUE(ZC_INIT_DRIVER_TYPE_GPU, ZE_INIT_DRIVER_TYPE_FLAG_GPU);
SAME_CHAIN(zc_init_driver_type_desc, ze_init_driver_type_desc_t);
SAME_FIELD(zc_init_driver_type_desc, flags, ze_init_driver_type_desc_t, flags);
#endif

#if HEADERS_HAVE(14)
_Static_assert(sizeof(struct zc_group_size) == sizeof(ze_group_size_t), "ze_group_size_t");
SAME_FIELD(zc_group_size, x, ze_group_size_t, groupSizeX);
SAME_FIELD(zc_group_size, y, ze_group_size_t, groupSizeY);
SAME_FIELD(zc_group_size, z, ze_group_size_t, groupSizeZ);
#endif

#if HEADERS_HAVE(15)
SAME_CHAIN(zc_event_counter_based_desc, ze_event_counter_based_desc_t);
SAME_FIELD(zc_event_counter_based_desc, flags, ze_event_counter_based_desc_t, flags);
SAME_FIELD(zc_event_counter_based_desc, signal, ze_event_counter_based_desc_t, signal);
SAME_FIELD(zc_event_counter_based_desc, wait, ze_event_counter_based_desc_t, wait);
SAME_VALUE(ZC_EVENT_COUNTER_BASED_FLAG_IMMEDIATE, ZE_EVENT_COUNTER_BASED_FLAG_IMMEDIATE);
SAME_VALUE(ZC_EVENT_COUNTER_BASED_FLAG_NON_IMMEDIATE, ZE_EVENT_COUNTER_BASED_FLAG_NON_IMMEDIATE);
SAME_VALUE(ZC_EVENT_COUNTER_BASED_FLAG_HOST_VISIBLE, ZE_EVENT_COUNTER_BASED_FLAG_HOST_VISIBLE);
SAME_VALUE(ZC_EVENT_COUNTER_BASED_FLAG_IPC, ZE_EVENT_COUNTER_BASED_FLAG_IPC);
SAME_VALUE(
    ZC_EVENT_COUNTER_BASED_FLAG_DEVICE_TIMESTAMP, ZE_EVENT_COUNTER_BASED_FLAG_DEVICE_TIMESTAMP);
SAME_VALUE(ZC_EVENT_COUNTER_BASED_FLAG_HOST_TIMESTAMP, ZE_EVENT_COUNTER_BASED_FLAG_HOST_TIMESTAMP);
#endif

_Static_assert(sizeof(zc_host_function) == sizeof(void (*)(void)), "a function's address");
