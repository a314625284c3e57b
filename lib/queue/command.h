// SPDX-License-Identifier: MIT
//
// A command: one thing for the device to do, described but not yet in a command list.

#ifndef MEZ_QUEUE_COMMAND_H
#define MEZ_QUEUE_COMMAND_H

#include "kernel/kernel.h"

typedef enum mez_command_kind {
    MEZ_COMMAND_KERNEL,
    MEZ_COMMAND_COPY,
    MEZ_COMMAND_FILL,
    MEZ_COMMAND_NOTHING, // keeps its place in the order: waits and signals, no more
} mez_command_kind;

typedef struct mez_command {
    mez_command_kind kind;
    union {
        struct {
            mez_kernel *kernel;
            mez_kernel_handle *handle; // lent for this submission
            const mez_args *args;
            uint32_t group_size[3];
            ze_group_count_t group_count;
        } launch;
        struct {
            void *to;
            const void *from;
            size_t size;
        } copy;
        struct {
            void *to;
            const void *pattern;
            size_t pattern_size;
            size_t size;
        } fill;
    };
} mez_command;

// Appends the command to a list. `signal` may be NULL.
mez_error mez_command_append(const mez_command *command, ze_command_list_handle_t list,
    ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *wait);

#endif
