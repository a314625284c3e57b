// SPDX-License-Identifier: MIT
//
// A command that outlives the call which described it: its range, arguments and pattern are copied, its kernel or recorded list
// is kept. Memory that it reads and writes stays the user's.

#ifndef MEZ_TASK_COMMAND_COPY_H
#define MEZ_TASK_COMMAND_COPY_H

#include "task/command.h"

typedef struct mez_command_copy {
    mez_command command; // its pointers lead into what follows it in memory
    mez_location where;
    mez_range range;
    mez_args args;
} mez_command_copy;

// A copy of a command whose arguments, where it has some, have been checked. Free it with mez_command_copy_destroy.
// Error: MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_command_copy_create(const mez_command *command, mez_command_copy **copy);

// The list that its `args` lead to.
mez_arg *mez_command_copy_items(mez_command_copy *copy);

// Lets go of the kernel; NULL is accepted.
void mez_command_copy_destroy(mez_command_copy *copy);

#endif
