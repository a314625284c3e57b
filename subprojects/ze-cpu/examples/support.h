// SPDX-License-Identifier: MIT
//
// What the examples share: a device, kernels from a file, and the end of the program where anything fails.
#ifndef ZE_CPU_EXAMPLES_SUPPORT_H
#define ZE_CPU_EXAMPLES_SUPPORT_H

#include <level_zero/ze_api.h>
#include <stddef.h>

// Ends the program with the place and the number of the result (ze_result_t), unless it is success.
#define TRY(call) check((call), #call, __FILE__, __LINE__)
void check(ze_result_t result, const char *call, const char *file, int line);

struct machine {
    ze_driver_handle_t driver;
    ze_device_handle_t device;
    ze_context_handle_t context;
    ze_command_list_handle_t list; // commands that are appended have ended when the call returns
};

// The first device of the first driver.
struct machine open_machine(void);
void close_machine(struct machine *machine);

// A module of SPIR-V in a file, compiled for the device.
ze_module_handle_t load_module(const struct machine *machine, const char *path);
ze_kernel_handle_t create_kernel(ze_module_handle_t module, const char *name);

#endif
