// SPDX-License-Identifier: MIT

#include "queue/abandon.h"

void mez_queue_abandon(mez_queue *queue, mez_error error)
{
    mez_lock_take(&queue->lock);
    if (!mez_queue_is_abandoned(queue)) {
        queue->why_abandoned = mez_error_retain(mez_error_seal(error));
        mez_queue_slow_down(queue, MEZ_SLOW_ABANDONED);
    }
    mez_lock_release(&queue->lock);
}
