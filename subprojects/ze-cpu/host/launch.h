// SPDX-License-Identifier: MIT
//
// Kernel launches, for those that are made of several.
#ifndef ZE_CPU_LAUNCH_H
#define ZE_CPU_LAUNCH_H

#include "command.h"
#include "kernel.h"

// Can the kernel be appended as its handle is now?
ze_result_t zc_launch_check(
    const struct zc_append *append, ze_kernel_handle_t kernel, const ze_group_count_t *counts);
// The group counts are read when it runs. NULL: memory is short.
struct zc_command *zc_launch_create_indirect(
    const struct zc_append *append, ze_kernel_handle_t kernel, const ze_group_count_t *counts);

#endif
