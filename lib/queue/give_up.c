// SPDX-License-Identifier: MIT

#include "queue/give_up.h"

#include "device/lost.h"

void mez_queue_give_up(mez_queue *queue, mez_error error)
{
    mez_lock_take(&queue->lock);
    if (!mez_queue_is_given_up(queue)) {
        queue->why_given_up = mez_error_retain(mez_error_seal(error));
        mez_queue_hide_in_order_list(queue);
        queue->holds.in_order_list = NULL;
        atomic_store_explicit(&queue->given_up, true, memory_order_release);
    }
    mez_lock_release(&queue->lock);
}

// Against mez_platform_note_loss, which marks the context before it comes here: either it hides the list that somebody shows, or
// who shows it sees the mark.
void mez_queue_hide_when_lost(mez_queue *queue)
{
    atomic_thread_fence(memory_order_seq_cst);
    if (mez_platform_is_lost(queue->platform))
        mez_queue_hide_in_order_list(queue);
}
