// SPDX-License-Identifier: MIT
//
// Host functions: commands that call the application back.
#include "check.h"
#include "fault.h"
#include "list.h"
#include "own.h"
#include "shared_use.h"

#include <ze_newer.h>

struct host_call {
    struct zc_command command;
    ze_newer_host_function_t *function;
    void *user_data;
};

static bool run_host_call(const struct zc_command *command, struct zc_runner *runner)
{
    (void)runner;
    const struct host_call *call = (const void *)command;
    // What came before it has ended, which the function may pass on to other threads.
    zc_shared_use_observe();
    const bool works = zc_guard_work_for_device(false);
    call->function(call->user_data);
    zc_guard_work_for_device(works);
    return true;
}

ze_result_t zc_append_host_function(ze_command_list_handle_t list,
    ze_newer_host_function_t *function, void *user_data, const void *chain,
    ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *waits)
    ZC_ENTRY_POINT(zeCommandListAppendHostFunction);

ze_result_t zc_append_host_function(ze_command_list_handle_t list,
    ze_newer_host_function_t *function, void *user_data, const void *chain,
    ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *waits)
{
    const struct zc_append append = {list, signal, wait_count, waits};
    ZC_REQUIRE_NEWER();
    ZC_REQUIRE(!chain, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
    const ze_result_t checked = zc_check_append(&append);
    ZC_PASS(checked);
    ZC_REQUIRE_POINTER(function);
    struct host_call *call = zc_command_create(sizeof *call, &append);
    ZC_REQUIRE(call, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    call->command.run = run_host_call;
    call->command.may_block = true;
    call->command.off_engine = true;
    call->function = function;
    call->user_data = user_data;
    return zc_list_append(list, &call->command);
}
