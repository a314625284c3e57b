// SPDX-License-Identifier: MIT
//
// Functions that the loader of Debian 12 does not know, found as applications find them.
#ifndef ZE_CPU_TESTS_EXTENSIONS_H
#define ZE_CPU_TESTS_EXTENSIONS_H

#include <level_zero/ze_api.h>
#include <ze_newer.h>

struct extensions {
    ze_result_t (*host_synchronize)(ze_command_list_handle_t list, uint64_t timeout);
    ze_result_t (*is_immediate)(ze_command_list_handle_t list, ze_bool_t *immediate);
    ze_result_t (*launch_with_arguments)(ze_command_list_handle_t list, ze_kernel_handle_t kernel,
        ze_group_count_t counts, ze_newer_group_size_t size, void **arguments, const void *chain,
        ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *waits);
    ze_result_t (*host_function)(ze_command_list_handle_t list, ze_newer_host_function_t *function,
        void *user_data, const void *chain, ze_event_handle_t signal, uint32_t wait_count,
        ze_event_handle_t *waits);
    ze_result_t (*append_lists)(ze_command_list_handle_t list, uint32_t count,
        ze_command_list_handle_t *lists, ze_event_handle_t signal, uint32_t wait_count,
        ze_event_handle_t *waits);
    ze_result_t (*counter_event)(ze_context_handle_t context, ze_device_handle_t device,
        const ze_newer_event_counter_based_desc_t *desc, ze_event_handle_t *event);
    ze_result_t (*last_error)(ze_driver_handle_t driver, const char **text);
};
extern struct extensions ext;

// Fails the test when the driver has no function of that name. Calls it by any type.
void find_extension(const char *name, void *function);
// What the driver says of this thread's last failure.
const char *last_failure(void);
// Fills `ext`. Only in the newer mode, and only without handle wrapping.
void find_newer_functions(void);
ze_event_handle_t create_counter_event(uint32_t flags);
// The flag is of the immediate list's queue description.
ze_command_list_handle_t create_in_order(ze_command_queue_mode_t mode);

#endif
