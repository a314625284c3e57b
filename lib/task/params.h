// SPDX-License-Identifier: MIT
//
// What was said about a task: is there anything in it that this version does not know?

#ifndef MEZ_TASK_PARAMS_H
#define MEZ_TASK_PARAMS_H

#include <string.h>

#include <mezzanine/queue.h>

#include "base/version.h"

// The flags and the room behind them as one number, so that quick paths look at all of them at once.
static inline uint64_t mez_task_flags(const mez_task_params *task)
{
    uint64_t flags;
    _Static_assert(offsetof(mez_task_params, reserved_flags) + sizeof task->reserved_flags -
                           offsetof(mez_task_params, cooperative) ==
                       sizeof flags,
        "the flags fill one word");
    memcpy(&flags, (const char *)task + offsetof(mez_task_params, cooperative), sizeof flags);
    return flags;
}

// What is in it beside events and a name, as bits: 0: nothing. One number for all members, as none of them is likely. device_event only
// says which events the task's is one of.
static inline uint64_t mez_task_extras(const mez_task_params *task)
{
    const uint64_t device_event = UINT64_C(0xff) << 8 * (offsetof(mez_task_params, device_event) -
                                                            offsetof(mez_task_params, cooperative));
    return (mez_task_flags(task) & ~device_event) | MEZ_RESERVED_BITS(task);
}

// Has it nothing that quick paths don't know?
static inline bool mez_task_is_plain(const mez_task_params *task)
{
    return (task->wait_count | mez_task_extras(task)) == 0;
}

// MEZ_ERRC_INVALID_PARAMETER: a reserved part is not zero. `task` may be NULL.
static inline mez_error mez_task_check_reserved(const mez_task_params *task)
{
    uint64_t flags = 0;
    if (!task)
        return mez_ok();
    memcpy(&flags, task->reserved_flags, sizeof task->reserved_flags);
    return (flags | MEZ_RESERVED_BITS(task)) == 0 ? mez_ok() : mez_reserved_used("mez_task_params");
}

#endif
