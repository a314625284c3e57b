// SPDX-License-Identifier: MIT
//
// What we use of Level Zero beyond the 1.4 headers of Debian 12, under our own names so that newer headers do not collide.
// Functions are found by name in the loader, else through zeDriverGetExtensionFunctionAddress; NULL: this driver has none.

#ifndef MEZ_ZE_NEWER_H
#define MEZ_ZE_NEWER_H

#include <level_zero/ze_api.h>

// ZE_COMMAND_QUEUE_FLAG_IN_ORDER, specification 1.7. Drivers before it ignore the bit without a word.
#define MEZ_ZE_COMMAND_QUEUE_FLAG_IN_ORDER (1u << 1)

#define MEZ_ZE_IMMEDIATE_APPEND_EXP_NAME "ZE_experimental_immediate_command_list_append"

typedef struct mez_ze_newer_functions {
    // Specification 1.6: waits for everything in an immediate list.
    ze_result_t (*zeCommandListHostSynchronize)(ze_command_list_handle_t list, uint64_t timeout);
    // Specification 1.9, ZE_experimental_immediate_command_list_append: runs closed regular lists in an immediate one.
    ze_result_t (*zeCommandListImmediateAppendCommandListsExp)(ze_command_list_handle_t list,
        uint32_t count, ze_command_list_handle_t *lists, ze_event_handle_t signal,
        uint32_t wait_count, ze_event_handle_t *waits);
} mez_ze_newer_functions;

#endif
