// SPDX-License-Identifier: MIT
//
// Errors of tasks on their way to the user: kept by the queue until a wait, mez_queue_next_error or the handler takes them.

#include "device/lost.h"
#include "queue/companion.h"
#include "queue/abandon.h"
#include "queue/handler.h"
#include "task/readback.h"

// What the next wait has to return has changed. The caller holds the lock.
static void note_failed(mez_queue *queue, bool failed)
{
    atomic_store_explicit(&queue->failed, failed, memory_order_release);
}

void mez_queue_keep_error(mez_queue *queue, mez_error error)
{
    if (queue->handling ? mez_handling_knows(queue, error)
                        : mez_failures_have(&queue->failures, error))
        return;
    mez_failures_add(&queue->failures, error);
    if (queue->handling)
        mez_handling_keep(queue, error);
    note_failed(queue, true);
}

void mez_queue_report(mez_queue *queue, mez_error error)
{
    if (!queue->handling)
        return;
    mez_lock_take(&queue->lock);
    mez_queue_keep_error(queue, error);
    mez_lock_release(&queue->lock);
}

// The caller holds the lock.
static void forget_for_wait(mez_queue *queue, mez_error error)
{
    if (queue->handling)
        mez_handling_forget_for_wait(queue, error);
    else
        mez_failures_forget(&queue->failures, error);
}

static bool has_for_wait(const mez_queue *queue)
{
    return queue->handling ? mez_handling_has_for_wait(queue) : queue->failures.count > 0;
}

void mez_queue_take_back_error(mez_queue *queue, mez_error error)
{
    mez_failures_forget(&queue->failures, error);
    forget_for_wait(queue, error);
    note_failed(queue, has_for_wait(queue));
}

void mez_queue_forget_error(mez_queue *queue, mez_error error)
{
    mez_lock_take(&queue->lock);
    forget_for_wait(queue, error);
    note_failed(queue, has_for_wait(queue));
    mez_lock_release(&queue->lock);
}

// What the wait itself was told by the driver comes behind what is kept, unless every wait is told it again.
static bool comes_behind(const mez_queue *queue, mez_error failure)
{
    return mez_queue_has_failed(queue) && mez_failed(failure) && !mez_queue_is_abandoned(queue) &&
           mez_error_category(failure) == MEZ_CATEGORY_LEVEL_ZERO && !mez_error_says_lost(failure);
}

static mez_error take_for_wait(mez_queue *queue, mez_error failure)
{
    mez_lock_take(&queue->lock);
    if (comes_behind(queue, failure))
        mez_queue_keep_error(queue, failure);
    const mez_error error =
        queue->handling ? mez_handling_take_for_wait(queue) : mez_failures_take(&queue->failures);
    note_failed(queue, has_for_wait(queue));
    mez_lock_release(&queue->lock);
    return mez_failed(error) ? mez_error_hand_over(error) : error;
}

mez_error mez_queue_tell_kept(mez_queue *queue, mez_error failure)
{
    const mez_error error = take_for_wait(queue, failure);
    queue->platform->assert_functions->settle(queue->platform);
    return mez_failed(error) ? error : failure;
}

static mez_error take_next(mez_queue *queue)
{
    mez_lock_take(&queue->lock);
    const bool some = mez_handling_left_over(queue) > 0;
    const mez_error error = some ? mez_failures_take(&queue->failures) : mez_ok();
    note_failed(queue, has_for_wait(queue));
    mez_lock_release(&queue->lock);
    return mez_failed(error) ? mez_error_hand_over(error) : error;
}

bool mez_queue_next_error(mez_queue *queue, mez_error *error)
{
    if (!error)
        return false;
    *error = queue ? take_next(queue) : mez_ok();
    if (queue && !mez_failed(*error) && mez_companion_of(queue))
        *error = take_next(mez_companion_of(queue));
    if (!mez_failed(*error))
        return false;
    queue->platform->assert_functions->settle(queue->platform);
    return true;
}
