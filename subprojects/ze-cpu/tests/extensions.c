// SPDX-License-Identifier: MIT
//
// Functions that the loader of Debian 12 does not know.
#include "extensions.h"

#include "harness.h"

#include <string.h>

struct extensions ext;

void find_extension(const char *name, void *function)
{
    void *address = NULL;
    assert_ok(zeDriverGetExtensionFunctionAddress(fx.driver, name, &address));
    memcpy(function, &address, sizeof address);
}

const char *last_failure(void)
{
    const char *text = NULL;
    ze_result_t (*describe)(ze_driver_handle_t driver, const char **text) = NULL;
    find_extension("zeDriverGetLastErrorDescription", &describe);
    assert_ok(describe(fx.driver, &text));
    return text;
}

void find_newer_functions(void)
{
    find_extension("zeCommandListHostSynchronize", &ext.host_synchronize);
    find_extension("zeCommandListIsImmediate", &ext.is_immediate);
    find_extension("zeCommandListAppendLaunchKernelWithArguments", &ext.launch_with_arguments);
    find_extension("zeCommandListAppendHostFunction", &ext.host_function);
    find_extension("zeCommandListImmediateAppendCommandListsExp", &ext.append_lists);
    find_extension("zeEventCounterBasedCreate", &ext.counter_event);
    find_extension("zeDriverGetLastErrorDescription", &ext.last_error);
}

ze_event_handle_t create_counter_event(uint32_t flags)
{
    const ze_newer_event_counter_based_desc_t desc = {
        .flags = flags, .signal = ZE_EVENT_SCOPE_FLAG_HOST};
    ze_event_handle_t event = NULL;
    assert_ok(ext.counter_event(fx.context, fx.device, &desc, &event));
    return event;
}

ze_command_list_handle_t create_in_order(ze_command_queue_mode_t mode)
{
    const ze_command_queue_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
        .flags = ZE_NEWER_COMMAND_QUEUE_FLAG_IN_ORDER,
        .mode = mode};
    ze_command_list_handle_t list = NULL;
    assert_ok(zeCommandListCreateImmediate(fx.context, fx.device, &desc, &list));
    return list;
}
