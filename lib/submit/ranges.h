// SPDX-License-Identifier: MIT
//
// Whether what a task copies or fills lies within the allocations that it points to. To look up an allocation takes a lock, and for
// memory that is not the library's a call of the driver: several times what a copy costs. So all copies and fills are checked in
// contexts that validate (MEZ_VALIDATE) or are checked (MEZ_CHECK) alone; their queues have no quick paths (MEZ_SLOW_VALIDATED), so
// that others pay nothing.

#ifndef MEZ_SUBMIT_RANGES_H
#define MEZ_SUBMIT_RANGES_H

#include <mezzanine/memory.h>

#include "queue/slow.h"
#include "task/command.h"

// What MEZ_VALIDATE says; where it is not set, whether the loader's layer checks parameters. Error: MEZ_ERRC_INVALID_PARAMETER.
mez_error mez_ranges_read_setting(bool *validates);

// Which argument of the call a range is: what it writes, what it reads, what a hint is for.
typedef enum mez_side { MEZ_SIDE_TO, MEZ_SIDE_FROM, MEZ_SIDE_MEMORY } mez_side;

// For who has looked the allocation up anyway. MEZ_ERRC_INVALID_PARAMETER: the range ends behind its allocation, or begins where none
// is: freed, or beside one. Success also for memory of which neither library nor driver knows.
mez_error mez_range_check(mez_platform *platform, const mez_memory_info *info,
    const mez_command *command, mez_side side, const void *pointer, size_t size);

// Looks up what the command reads and writes. Errors: those of mez_range_check, also for plain memory with an allocation in it, and
// what the driver says.
mez_error mez_ranges_check_all(mez_platform *platform, const mez_command *command);

// The same for a queue of a context that validates.
static inline mez_error mez_ranges_check(const mez_queue *queue, const mez_command *command)
{
    return mez_queue_is(queue, MEZ_SLOW_VALIDATED) ? mez_ranges_check_all(queue->platform, command)
                                                   : mez_ok();
}

#endif
