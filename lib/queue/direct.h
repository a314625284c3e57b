// SPDX-License-Identifier: MIT
//
// Direct tasks: more than the quick paths (fast_path.h) append by themselves, and less than needs mez_queue_submit_task. A direct task
// may wait for events, signal one of any sort, and be of a queue out of order; but nothing is deferred, traced or compiled for it, and
// all that it needs is at hand. A list that the driver keeps in order takes it.
//
//     mez_direct direct;
//     if (!mez_direct_begin(queue, params, &direct))
//         return submit_the_long_way();
//     error = ZE(zeCommandListAppend..., direct.list, ..., mez_fast_signal(direct.event), direct.wait_count, mez_direct_waits(&direct));
//     mez_direct_end(queue, params, &direct, error, ...);

#ifndef MEZ_QUEUE_DIRECT_H
#define MEZ_QUEUE_DIRECT_H

#include "queue/fast_path.h"

#define MEZ_DIRECT_WAITS 8

typedef struct mez_direct {
    ze_command_list_handle_t list;
    mez_event *event; // to signal; NULL: none
    uint32_t wait_count;
    mez_event *wait[MEZ_DIRECT_WAITS];
    ze_event_handle_t ze_wait[MEZ_DIRECT_WAITS];
} mez_direct;

// True: the queue's lock is held, and what the task waits for is on its way. False: the task needs more, and nothing was done.
// `validated`: the caller has no memory to check (submit/ranges.h).
bool mez_direct_begin(
    mez_queue *queue, const mez_task_params *params, bool validated, mez_direct *direct);

// The task takes the long way after all: lets the lock go.
void mez_direct_leave(mez_queue *queue, mez_direct *direct);

// The driver has answered. Notes the task, unless it has failed, and lets the lock go.
void mez_direct_end(mez_queue *queue, const mez_task_params *params, mez_direct *direct,
    mez_error error, const mez_command *command);

static inline ze_event_handle_t *mez_direct_waits(mez_direct *direct)
{
    return direct->wait_count > 0 ? direct->ze_wait : NULL;
}

#endif
