// SPDX-License-Identifier: MIT
//
// Command lists: regular ones record, immediate ones hand each command to a queue of their own.
#ifndef ZE_CPU_LIST_H
#define ZE_CPU_LIST_H

#include "command.h"
#include "device.h"

struct zc_queue;
struct zc_recording;

struct _ze_command_list_handle_t {
    ze_context_handle_t context;
    ze_device_handle_t device;
    ze_command_list_flags_t flags; // of a regular list
    ze_command_queue_desc_t made;  // of an immediate list: what it was created with
    uint32_t ordinal;
    const struct zc_queue_group *group;
    struct zc_recording *recording; // regular list
    bool closed;
    struct zc_queue *queue; // immediate list
    bool synchronous;
    bool in_order; // each command completes before the next starts
};

// What every append call checks first.
ze_result_t zc_check_append(const struct zc_append *append);
// Takes the command, which may be NULL (memory was short), also when it fails.
ze_result_t zc_list_append(ze_command_list_handle_t list, struct zc_command *command);

#endif
