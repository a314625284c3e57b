// SPDX-License-Identifier: MIT
//
// The functions of lib/assert as queues call them: where tools listen to a queue, they are notified of each call.

#ifndef MEZ_QUEUE_READ_ASSERTS_H
#define MEZ_QUEUE_READ_ASSERTS_H

#include "queue/traced.h"

static inline mez_error mez_readback_append(
    mez_readback *readback, mez_queue *queue, ze_command_list_handle_t list)
{
    if (MEZ_TRACED(queue->traced))
        return mez_traced_copy_records(queue, readback, list);
    return readback->platform->assert_functions->append(readback, list);
}

static inline void mez_readback_look(
    mez_readback *readback, mez_queue *queue, uint64_t first_task, uint64_t last_task)
{
    if (MEZ_TRACED(queue->traced))
        mez_traced_check_records(queue, readback, first_task, last_task);
    else
        readback->platform->assert_functions->look(readback, queue, first_task, last_task);
}

static inline mez_error mez_readback_look_beside(mez_queue *queue)
{
    if (MEZ_TRACED(queue->traced))
        return mez_traced_check_beside(queue);
    return queue->platform->assert_functions->look_beside(queue);
}

#endif
