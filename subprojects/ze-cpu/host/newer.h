// SPDX-License-Identifier: MIT
//
// What the specification added after 1.4, under names of our own: the headers we build against may
// be older, and newer ones must not clash with this.
#ifndef ZE_CPU_NEWER_H
#define ZE_CPU_NEWER_H

#include <level_zero/ze_api.h>

// Gives a function of ours the name under which the entry point tables look for it. It must not be
// declared in C by that name, since newer headers do so with types of theirs.
#define ZC_ENTRY_POINT(name) __asm__(#name)

// Of queues and immediate lists (1.7), and of regular lists.
#define ZC_COMMAND_QUEUE_FLAG_IN_ORDER (1u << 1)
#define ZC_COMMAND_LIST_FLAG_IN_ORDER (1u << 3)
// Flags that a driver may know or ignore; Intel's 22.43 ignores those that came after it.
#define ZC_COMMAND_QUEUE_FLAGS 0xfu
#define ZC_COMMAND_LIST_FLAGS 0x3fu

// Timestamps of which the host's clock is known, too (1.6): here there is only one clock.
#define ZC_EVENT_POOL_FLAG_MAPPED_TIMESTAMP (1u << 3)

#define ZC_INIT_DRIVER_TYPE_GPU (1u << 0)

// ZE_extension_device_ip_version (1.7): in the chain of ze_device_properties_t.
#define ZC_DEVICE_IP_VERSION_NAME "ZE_extension_device_ip_version"
#define ZC_STRUCTURE_TYPE_DEVICE_IP_VERSION 0x1000f
struct zc_device_ip_version {
    ze_structure_type_t stype;
    void *pNext;
    uint32_t ip_version;
};

// zeInitDrivers (1.10)
struct zc_init_driver_type_desc {
    ze_structure_type_t stype;
    const void *pNext;
    uint32_t flags; // all bits: any type
};

// ZE_experimental_event_pool_counter_based (1.8): in the chain of ze_event_pool_desc_t.
#define ZC_EVENT_POOL_COUNTER_BASED_NAME "ZE_experimental_event_pool_counter_based"
#define ZC_STRUCTURE_TYPE_EVENT_POOL_COUNTER_BASED 0x00020014
struct zc_event_pool_counter_based_desc {
    ze_structure_type_t stype;
    const void *pNext;
    uint32_t flags;
};
#define ZC_EVENT_POOL_COUNTER_BASED_FLAGS 0x3u

// zeEventCounterBasedCreate (1.15); zexCounterBasedEventCreate2 of Intel's drivers takes the same
// structure with another stype.
#define ZC_COUNTER_BASED_EVENT_NAME "ZEX_counter_based_event"
#define ZC_EVENT_COUNTER_BASED_FLAG_IMMEDIATE (1u << 0)
#define ZC_EVENT_COUNTER_BASED_FLAG_NON_IMMEDIATE (1u << 1)
#define ZC_EVENT_COUNTER_BASED_FLAG_HOST_VISIBLE (1u << 2)
#define ZC_EVENT_COUNTER_BASED_FLAG_IPC (1u << 3)
#define ZC_EVENT_COUNTER_BASED_FLAG_DEVICE_TIMESTAMP (1u << 4)
#define ZC_EVENT_COUNTER_BASED_FLAG_HOST_TIMESTAMP (1u << 5)
#define ZC_EVENT_COUNTER_BASED_FLAG_GRAPH_EXTERNAL (1u << 6)
#define ZC_EVENT_COUNTER_BASED_FLAGS 0x7fu
struct zc_event_counter_based_desc {
    ze_structure_type_t stype;
    const void *pNext;
    uint32_t flags;
    ze_event_scope_flags_t signal, wait;
};

// zeCommandListImmediateAppendCommandListsExp (1.9)
#define ZC_IMMEDIATE_APPEND_NAME "ZE_experimental_immediate_command_list_append"

// zeCommandListAppendLaunchKernelWithArguments (1.14)
struct zc_group_size {
    uint32_t x, y, z;
};

// What a draft of 2021 meant for asserts that failed; later versions of the specification gave the
// number of the code to something else.
#define ZC_ASSERT_RETURN_CODE_NAME "ze_intel_assert_return_code"
#define ZC_RESULT_ASSERT_FAILED ((ze_result_t)0x70000006)
// Kernels may call what OpenCL's extension of this name has.
#define ZC_DEVICELIB_ASSERT_NAME "cl_intel_devicelib_assert"

// A failed assert as device libraries that have no driver's help write it.
#define ZC_ASSERT_RECORD_COMPLETE 2
struct zc_assert_record {
    int32_t flag;
    char expression[257], file[257], function[129];
    int32_t line;
    uint64_t global_id[3], local_id[3];
};
_Static_assert(sizeof(struct zc_assert_record) == 704, "the layout is others' to choose");

// zeCommandListAppendHostFunction (1.17)
typedef void (*zc_host_function)(void *user_data);

#endif
