// SPDX-License-Identifier: MIT
//
// Launches that have their parameters in a chain.
#include "check.h"
#include "kernel.h"
#include "own.h"

#include <stdbool.h>
#include <string.h>
#include <ze_newer.h>

typedef ze_newer_command_list_append_launch_kernel_param_cooperative_desc_t cooperative_desc;

#define COOPERATIVE ZE_NEWER_STRUCTURE_TYPE_COMMAND_LIST_APPEND_PARAM_COOPERATIVE_DESC

// False: the chain has something that nobody here knows.
static bool read_chain(const void *chain, bool *cooperative)
{
    *cooperative = false;
    for (const ze_base_desc_t *desc = chain; desc; desc = desc->pNext) {
        if (desc->stype != COOPERATIVE)
            return false;
        *cooperative = ((const cooperative_desc *)(const void *)desc)->isCooperative;
    }
    return true;
}

ze_result_t zc_append_launch_kernel_with_parameters(ze_command_list_handle_t list,
    ze_kernel_handle_t kernel, const ze_group_count_t *counts, const void *chain,
    ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *waits)
    ZC_ENTRY_POINT(zeCommandListAppendLaunchKernelWithParameters);

ze_result_t zc_append_launch_kernel_with_parameters(ze_command_list_handle_t list,
    ze_kernel_handle_t kernel, const ze_group_count_t *counts, const void *chain,
    ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *waits)
{
    bool cooperative;
    ZC_REQUIRE_NEWER();
    ZC_REQUIRE(read_chain(chain, &cooperative), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
    return cooperative
               ? zeCommandListAppendLaunchCooperativeKernel(
                     list, kernel, counts, signal, wait_count, waits)
               : zeCommandListAppendLaunchKernel(list, kernel, counts, signal, wait_count, waits);
}

// The value of a local argument is its size.
static ze_result_t set_argument(ze_kernel_handle_t kernel, uint32_t index, const void *value)
{
    const struct zc_argument *argument = &kernel->info->arguments[index];
    if (argument->kind != ZC_ARGUMENT_LOCAL)
        return zeKernelSetArgumentValue(kernel, index, argument->size, value);
    size_t size;
    ZC_REQUIRE_POINTER(value);
    memcpy(&size, value, sizeof size);
    return zeKernelSetArgumentValue(kernel, index, size, NULL);
}

static ze_result_t set_arguments(ze_kernel_handle_t kernel, void **values)
{
    ZC_REQUIRE(values || !kernel->info->argument_count, ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    ze_result_t result = ZE_RESULT_SUCCESS;
    for (uint32_t i = 0; i < kernel->info->argument_count && !result; i++)
        result = set_argument(kernel, i, values[i]);
    return result;
}

ze_result_t zc_append_launch_kernel_with_arguments(ze_command_list_handle_t list,
    ze_kernel_handle_t kernel, ze_group_count_t counts, ze_newer_group_size_t size,
    void **arguments, const void *chain, ze_event_handle_t signal, uint32_t wait_count,
    ze_event_handle_t *waits) ZC_ENTRY_POINT(zeCommandListAppendLaunchKernelWithArguments);

// Group size and arguments stay set in the kernel handle.
ze_result_t zc_append_launch_kernel_with_arguments(ze_command_list_handle_t list,
    ze_kernel_handle_t kernel, ze_group_count_t counts, ze_newer_group_size_t size,
    void **arguments, const void *chain, ze_event_handle_t signal, uint32_t wait_count,
    ze_event_handle_t *waits)
{
    ZC_REQUIRE_NEWER();
    ZC_REQUIRE_HANDLE(list);
    ZC_REQUIRE_HANDLE(kernel);
    ze_result_t result;
    if ((result =
                zeKernelSetGroupSize(kernel, size.groupSizeX, size.groupSizeY, size.groupSizeZ)) ||
        (result = set_arguments(kernel, arguments)))
        return result;
    return zc_append_launch_kernel_with_parameters(
        list, kernel, &counts, chain, signal, wait_count, waits);
}
