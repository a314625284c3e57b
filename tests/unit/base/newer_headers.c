// SPDX-License-Identifier: MIT
//
// Are our own types and values of what came after Level Zero 1.4 those of the headers? Looked at by the compiler, as far as the
// installed headers know them.

#include <stddef.h>

#include "ze/caps.h"
#include "ze/newer.h"

#ifdef ZE_API_VERSION_CURRENT_M
#define HEADERS_HAVE(minor) (ZE_API_VERSION_CURRENT_M >= ZE_MAKE_VERSION(1, minor))
#else
#define HEADERS_HAVE(minor) 0
#endif

#define SAME_VALUE(ours, theirs) \
    _Static_assert((unsigned long long)(ours) == (unsigned long long)(theirs), #theirs)
#define SAME_NAME(ours, theirs) \
    _Static_assert(sizeof ours == sizeof theirs, "the length of " #theirs)
#define SAME_SIZE(ours, theirs) _Static_assert(sizeof(ours) == sizeof(theirs), #theirs)
#define SAME_FIELD(ours, field, theirs, their_field)                               \
    _Static_assert(offsetof(ours, field) == offsetof(theirs, their_field) &&       \
                       sizeof((ours){0}.field) == sizeof((theirs){0}.their_field), \
        #theirs "." #their_field)
#define SAME_CHAIN(ours, theirs)            \
    SAME_SIZE(ours, theirs);                \
    SAME_FIELD(ours, stype, theirs, stype); \
    SAME_FIELD(ours, next, theirs, pNext)

#if HEADERS_HAVE(7)
SAME_VALUE(MEZ_ZE_COMMAND_QUEUE_FLAG_IN_ORDER, ZE_COMMAND_QUEUE_FLAG_IN_ORDER);
#endif

#ifdef ZE_DEVICE_IP_VERSION_EXT_NAME
SAME_NAME(MEZ_ZE_IP_VERSION_NAME, ZE_DEVICE_IP_VERSION_EXT_NAME);
SAME_VALUE(MEZ_ZE_STRUCTURE_TYPE_IP_VERSION, ZE_STRUCTURE_TYPE_DEVICE_IP_VERSION_EXT);
SAME_CHAIN(mez_ze_ip_version, ze_device_ip_version_ext_t);
SAME_FIELD(mez_ze_ip_version, ip_version, ze_device_ip_version_ext_t, ipVersion);
#endif

#ifdef ZE_EVENT_POOL_COUNTER_BASED_EXP_NAME
SAME_NAME(MEZ_ZE_COUNTER_POOL_NAME, ZE_EVENT_POOL_COUNTER_BASED_EXP_NAME);
SAME_VALUE(MEZ_ZE_STRUCTURE_TYPE_COUNTER_POOL, ZE_STRUCTURE_TYPE_COUNTER_BASED_EVENT_POOL_EXP_DESC);
SAME_CHAIN(mez_ze_counter_pool_desc, ze_event_pool_counter_based_exp_desc_t);
SAME_FIELD(mez_ze_counter_pool_desc, flags, ze_event_pool_counter_based_exp_desc_t, flags);
SAME_VALUE(MEZ_ZE_COUNTER_FLAG_IMMEDIATE, ZE_EVENT_POOL_COUNTER_BASED_EXP_FLAG_IMMEDIATE);
SAME_VALUE(MEZ_ZE_COUNTER_FLAG_NON_IMMEDIATE, ZE_EVENT_POOL_COUNTER_BASED_EXP_FLAG_NON_IMMEDIATE);
#endif

#ifdef ZE_IMMEDIATE_COMMAND_LIST_APPEND_EXP_NAME
SAME_NAME(MEZ_ZE_IMMEDIATE_APPEND_EXP_NAME, ZE_IMMEDIATE_COMMAND_LIST_APPEND_EXP_NAME);
#endif

#if HEADERS_HAVE(10)
SAME_VALUE(MEZ_ZE_STRUCTURE_TYPE_INIT_DRIVERS, ZE_STRUCTURE_TYPE_INIT_DRIVER_TYPE_DESC);
SAME_CHAIN(mez_ze_init_drivers_desc, ze_init_driver_type_desc_t);
SAME_FIELD(mez_ze_init_drivers_desc, flags, ze_init_driver_type_desc_t, flags);
#endif

#if HEADERS_HAVE(14)
SAME_SIZE(mez_ze_group_size, ze_group_size_t);
SAME_FIELD(mez_ze_group_size, x, ze_group_size_t, groupSizeX);
SAME_FIELD(mez_ze_group_size, y, ze_group_size_t, groupSizeY);
SAME_FIELD(mez_ze_group_size, z, ze_group_size_t, groupSizeZ);
#endif

// The structure of Intel's own function, whose stype differs, became that of the specification.
#if HEADERS_HAVE(15)
SAME_CHAIN(mez_ze_counter_event_desc, ze_event_counter_based_desc_t);
SAME_FIELD(mez_ze_counter_event_desc, flags, ze_event_counter_based_desc_t, flags);
SAME_FIELD(mez_ze_counter_event_desc, signal, ze_event_counter_based_desc_t, signal);
SAME_FIELD(mez_ze_counter_event_desc, wait, ze_event_counter_based_desc_t, wait);
SAME_VALUE(MEZ_ZE_COUNTER_FLAG_HOST_VISIBLE, ZE_EVENT_COUNTER_BASED_FLAG_HOST_VISIBLE);
SAME_VALUE(MEZ_ZE_COUNTER_FLAG_TIMESTAMP, ZE_EVENT_COUNTER_BASED_FLAG_DEVICE_TIMESTAMP);
#endif

#ifdef ZE_DEVICE_USABLEMEM_SIZE_PROPERTIES_EXT_NAME
SAME_NAME(MEZ_ZE_USABLE_MEMORY_NAME, ZE_DEVICE_USABLEMEM_SIZE_PROPERTIES_EXT_NAME);
SAME_VALUE(
    MEZ_ZE_STRUCTURE_TYPE_USABLE_MEMORY, ZE_STRUCTURE_TYPE_DEVICE_USABLEMEM_SIZE_EXT_PROPERTIES);
SAME_CHAIN(mez_ze_usable_memory, ze_device_usablemem_size_ext_properties_t);
SAME_FIELD(
    mez_ze_usable_memory, bytes, ze_device_usablemem_size_ext_properties_t, currUsableMemSize);
#endif
