// SPDX-License-Identifier: MIT

#include "queue/abandon.h"

void mez_queue_give_up(mez_queue *queue, mez_error error)
{
    mez_lock_take(&queue->lock);
    if (!mez_queue_is_given_up(queue)) {
        queue->why_given_up = mez_error_retain(mez_error_seal(error));
        mez_queue_slow_down(queue, MEZ_SLOW_GIVEN_UP);
    }
    mez_lock_release(&queue->lock);
}
