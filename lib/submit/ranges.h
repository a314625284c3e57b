// SPDX-License-Identifier: MIT
//
// Whether what a task copies or fills lies within the allocations that it points to. To look up an allocation takes a lock, and for
// memory that is not the library's a call of the driver: several times what a copy costs. So all copies and fills are checked in
// contexts that validate alone (MEZ_VALIDATE); their queues have no quick paths (MEZ_SLOW_VALIDATED), so that others pay nothing.

#ifndef MEZ_SUBMIT_RANGES_H
#define MEZ_SUBMIT_RANGES_H

#include <mezzanine/memory.h>

#include "queue/slow.h"
#include "task/command.h"

// What MEZ_VALIDATE says; where it is not set, whether the loader's layer checks parameters. Error: MEZ_ERRC_INVALID_PARAMETER.
mez_error mez_ranges_read_setting(bool *validates);

// For who has looked the allocation up anyway. `verb` is what the task does to the range. MEZ_ERRC_INVALID_PARAMETER: the range ends
// behind its allocation, or begins in memory that was freed. Success also for memory of which neither library nor driver knows.
mez_error mez_range_check(const mez_memory_info *info, const mez_command *command, const char *verb,
    const void *pointer, size_t size);

// Looks up what the command reads and writes. Errors: those of mez_range_check, and what the driver says.
mez_error mez_ranges_check_all(mez_platform *platform, const mez_command *command);

// The same for a queue of a context that validates.
static inline mez_error mez_ranges_check(const mez_queue *queue, const mez_command *command)
{
    return mez_queue_is(queue, MEZ_SLOW_VALIDATED) ? mez_ranges_check_all(queue->platform, command)
                                                   : mez_ok();
}

#endif
