// SPDX-License-Identifier: MIT
//
// The other side of each comparison: what a program would have to call without Mezzanine.

#ifndef MEZ_PERF_RAW_H
#define MEZ_PERF_RAW_H

#include <level_zero/ze_api.h>
#include <stdbool.h>
#include <stddef.h>

#include "measure.h"

enum { RAW_BATCH = 10 };

// Fails the program with what was called.
void raw_failed(ze_result_t result, const char *call);

static inline void raw_must(ze_result_t result, const char *call)
{
    if (result != ZE_RESULT_SUCCESS)
        raw_failed(result, call);
}

#define RAW(call) raw_must((call), #call)

struct raw {
    ze_context_handle_t context;
    ze_device_handle_t device;
    ze_module_handle_t module;
    ze_kernel_handle_t no_argument, one_argument, four_arguments;
    ze_command_queue_handle_t queue;
    ze_command_list_handle_t immediate;
    ze_command_list_handle_t regular;
    ze_command_list_handle_t recorded; // for a case to fill
    ze_fence_handle_t fence;
    ze_event_pool_handle_t pool;
    ze_event_handle_t events[PERF_ROUND]; // host-visible
    void *memory;                         // two pieces of memory of the device
    void *more_memory;
};

extern struct raw raw;

// Level Zero is initialised. `code` is the SPIR-V of all kernels.
void raw_init(const void *code, size_t size, bool in_order);
void raw_finish(void);

// More of what raw has, which the caller destroys before raw_finish.
ze_kernel_handle_t raw_create_kernel(const char *name);
ze_command_list_handle_t raw_create_immediate(bool in_order);

// A launch of one group, as a careful author writes it: the first argument and the group's size are set each time.
static inline void raw_set(ze_kernel_handle_t kernel, void *pointer_value)
{
    RAW(zeKernelSetArgumentValue(kernel, 0, sizeof pointer_value, &pointer_value));
    RAW(zeKernelSetGroupSize(kernel, 1, 1, 1));
}

static inline void raw_append(
    ze_command_list_handle_t list, ze_kernel_handle_t kernel, ze_event_handle_t event)
{
    static const ze_group_count_t one_group = {1, 1, 1};
    RAW(zeCommandListAppendLaunchKernel(list, kernel, &one_group, event, 0, NULL));
}

#endif
