// SPDX-License-Identifier: MIT

#include "queue/replay.h"
#include "queue/slow.h"
#include "queue/probes.h"

// The task that must end before there is room; 0: there is. The caller holds the lock.
static uint64_t task_in_the_way(const mez_queue *queue, const void *lender, uint32_t most)
{
    uint64_t oldest = 0;
    uint32_t count = 0;
    for (const mez_encoding *one = queue->references.oldest_list; one; one = one->next)
        if (one->lender == lender && count++ == 0)
            oldest = one->task;
    return count >= most ? oldest : 0;
}

mez_error mez_replays_make_room(mez_queue *queue, const void *lender, uint32_t most)
{
    for (;;) {
        mez_lock_take(&queue->lock);
        mez_queue_take_up_seen(queue);
        const uint64_t task = task_in_the_way(queue, lender, most);
        mez_lock_release(&queue->lock);
        if (!task)
            return mez_ok();
        MEZ_TRY(mez_queue_wait_for_task(queue, task, MEZ_NEVER));
    }
}

bool mez_replay_at_once(mez_queue *queue, mez_encoding *encoding, mez_error *error)
{
    const mez_queue_ops *ops = queue->ops;
    if (!ops->replay || atomic_load(&queue->slow) != 0)
        return false;
    mez_lock_take(&queue->lock);
    const bool crowded = ops->crowded && ops->crowded(queue) > 0;
    const bool at_once =
        !crowded && atomic_load(&queue->slow) == 0; // now that nobody can change it
    if (at_once) {
        mez_probe_quick_begin(queue, MEZ_COMMAND_REPLAY, NULL, NULL);
        *error = ops->replay(queue, encoding);
        mez_probe_task_end(queue, NULL, *error, mez_queue_last_task(queue));
    }
    mez_lock_release(&queue->lock);
    return at_once;
}
