// SPDX-License-Identifier: MIT
//
// What we use of Level Zero beyond the 1.4 headers of Debian 12, under our own names so that newer headers do not collide.
// Functions are found by name in the loader, else through zeDriverGetExtensionFunctionAddress; NULL: this driver has none.

#ifndef MEZ_ZE_NEWER_H
#define MEZ_ZE_NEWER_H

#include <level_zero/ze_api.h>

// ZE_COMMAND_QUEUE_FLAG_IN_ORDER, specification 1.7. Drivers before it ignore the bit without a word.
#define MEZ_ZE_COMMAND_QUEUE_FLAG_IN_ORDER (1u << 1)

// Counter-based events (specification: programming guide, "Counter Based Events"). Such an event stands for the latest command
// that was given it to signal. It is never reset, and counts as happened before the first command; only in-order lists may
// signal it, any list and the host may wait for it.

// Pools of them: extension of ze_event_pool_desc_t, specification 1.8.
#define MEZ_ZE_COUNTER_POOL_NAME "ZE_experimental_event_pool_counter_based"
#define MEZ_ZE_STRUCTURE_TYPE_COUNTER_POOL ((ze_structure_type_t)0x00020014)
typedef struct mez_ze_counter_pool_desc {
    ze_structure_type_t stype;
    const void *next;
    uint32_t flags;
} mez_ze_counter_pool_desc;

// Single ones, of Intel's drivers since 24.45 and before the specification had zeEventCounterBasedCreate.
#define MEZ_ZE_STRUCTURE_TYPE_COUNTER_EVENT ((ze_structure_type_t)0x0003001c)
typedef struct mez_ze_counter_event_desc {
    ze_structure_type_t stype;
    const void *next;
    uint32_t flags;
    ze_event_scope_flags_t signal;
    ze_event_scope_flags_t wait;
} mez_ze_counter_event_desc;

// Which lists may use one; the third is for single events only, pools have a flag of their own.
#define MEZ_ZE_COUNTER_FLAG_IMMEDIATE (1u << 0)
#define MEZ_ZE_COUNTER_FLAG_NON_IMMEDIATE (1u << 1)
#define MEZ_ZE_COUNTER_FLAG_HOST_VISIBLE (1u << 2)
#define MEZ_ZE_COUNTER_FLAG_TIMESTAMP (1u << 4)

// ze_group_size_t
typedef struct mez_ze_group_size {
    uint32_t x, y, z;
} mez_ze_group_size;

// ze_host_function_callback_t. Must be short and must not call Level Zero.
typedef void mez_ze_host_function(void *data);

// ze_init_driver_type_desc_t, specification 1.10
#define MEZ_ZE_STRUCTURE_TYPE_INIT_DRIVERS ((ze_structure_type_t)0x00020021)
#define MEZ_ZE_DRIVER_TYPE_ANY UINT32_MAX
typedef struct mez_ze_init_drivers_desc {
    ze_structure_type_t stype;
    const void *next;
    uint32_t flags;
} mez_ze_init_drivers_desc;

typedef ze_result_t mez_ze_init_drivers_function(
    uint32_t *count, ze_driver_handle_t *drivers, mez_ze_init_drivers_desc *desc);

// X(name, major, minor, parameters): the specification that has it; 0.0: only drivers have it, by name.
#define MEZ_ZE_NEWER_FUNCTIONS(X)                                                                \
    /* Waits for everything in an immediate list. */                                             \
    X(zeCommandListHostSynchronize, 1, 6, (ze_command_list_handle_t list, uint64_t timeout))     \
    /* Group size and arguments stay set in the kernel, as if set one by one. */                 \
    X(zeCommandListAppendLaunchKernelWithArguments, 1, 14,                                       \
        (ze_command_list_handle_t list, ze_kernel_handle_t kernel, ze_group_count_t group_count, \
            mez_ze_group_size group_size, void **values, const void *next,                       \
            ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *wait))             \
    /* The driver calls it from a thread of its own. */                                          \
    X(zeCommandListAppendHostFunction, 1, 17,                                                    \
        (ze_command_list_handle_t list, mez_ze_host_function * function, void *data,             \
            const void *next, ze_event_handle_t signal, uint32_t wait_count,                     \
            ze_event_handle_t *wait))                                                            \
    /* A single counter-based event; lists of any device of the context may signal it. */        \
    X(zexCounterBasedEventCreate2, 0, 0,                                                         \
        (ze_context_handle_t context, ze_device_handle_t device,                                 \
            const mez_ze_counter_event_desc *desc, ze_event_handle_t *event))                    \
    /* Runs closed regular lists in the middle of an immediate one. */                           \
    X(zeCommandListImmediateAppendCommandListsExp, 1, 9,                                         \
        (ze_command_list_handle_t list, uint32_t count, ze_command_list_handle_t * lists,        \
            ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t * wait))

// Drivers that bring the function that a failed device-side assert calls. The name is OpenCL's.
#define MEZ_ZE_DEVICELIB_ASSERT_NAME "cl_intel_devicelib_assert"

// A draft that no driver of Intel's has: waits return this code for a task whose assert failed. Elsewhere the number has
// another meaning (docs/internals/asserts.md#a-code-that-means-something-else).
#define MEZ_ZE_ASSERT_CODE_NAME "ze_intel_assert_return_code"
#define MEZ_ZE_RESULT_ASSERT_FAILED ((ze_result_t)0x70000006)

// What of a device's memory is free: extension of ze_device_properties_t, specification 1.15.
#define MEZ_ZE_USABLE_MEMORY_NAME "ZE_extension_device_usablemem_size_properties"
#define MEZ_ZE_STRUCTURE_TYPE_USABLE_MEMORY ((ze_structure_type_t)0x00020041)
typedef struct mez_ze_usable_memory {
    ze_structure_type_t stype;
    void *next;
    uint64_t bytes;
} mez_ze_usable_memory;

// Which architecture a device is: extension of ze_device_properties_t, specification 1.7.
#define MEZ_ZE_IP_VERSION_NAME "ZE_extension_device_ip_version"
#define MEZ_ZE_STRUCTURE_TYPE_IP_VERSION ((ze_structure_type_t)0x0001000f)
typedef struct mez_ze_ip_version {
    ze_structure_type_t stype;
    const void *next;
    uint32_t ip_version;
} mez_ze_ip_version;

// For zeCommandListImmediateAppendCommandListsExp.
#define MEZ_ZE_IMMEDIATE_APPEND_EXP_NAME "ZE_experimental_immediate_command_list_append"

typedef struct mez_ze_newer_functions {
#define MEZ_ZE_MEMBER(name, major, minor, parameters) ze_result_t(*name) parameters;
    MEZ_ZE_NEWER_FUNCTIONS(MEZ_ZE_MEMBER)
#undef MEZ_ZE_MEMBER
} mez_ze_newer_functions;

#endif
