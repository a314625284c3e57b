// SPDX-License-Identifier: MIT

#include "queue/direct.h"

bool mez_direct_open(
    mez_queue *queue, const mez_task_params *params, bool validated, mez_direct *direct)
{
    if (!queue->lists || !mez_direct_prepare(queue, params, direct))
        return false;
    mez_lock_take(&queue->lock);
    if (queue->list_count > 0 && mez_direct_begin(queue, params, validated, direct))
        return true;
    mez_lock_release(&queue->lock);
    return false;
}

void mez_direct_close(mez_queue *queue, const mez_task_params *params, mez_direct *direct,
    mez_error error, const mez_command *command)
{
    mez_probe_task_end(queue, direct->event, error, mez_queue_last_task(queue) + 1);
    if (__builtin_expect(mez_failed(error), 0)) {
        mez_lock_release(&queue->lock);
        mez_fast_failed(params, direct->event);
        return;
    }
    const uint64_t number = mez_direct_appended(queue, params, direct);
    mez_history_add(&queue->history, number, command, command->debug_name != NULL);
    mez_lock_release(&queue->lock);
}
