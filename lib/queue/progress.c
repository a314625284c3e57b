// SPDX-License-Identifier: MIT

#include "queue/stall.h"

uint64_t mez_progress_known(const mez_queue *queue)
{
    const uint64_t seen = atomic_load_explicit(&queue->seen, memory_order_acquire);
    return seen > queue->completed ? seen : queue->completed;
}

// The host can't ask for events that are for other tasks alone, though another task of their queue may have been seen to end.
bool mez_progress_has_happened(const mez_event *event)
{
    if (mez_event_is_complete(event))
        return true;
    if (!(event->sort & MEZ_EVENT_DEVICE))
        return ZE_RESULT(zeEventHostSynchronize, event->ze, 0) == ZE_RESULT_SUCCESS;
    const mez_queue *queue = mez_event_is_of_queue(event) ? event->owner : NULL;
    return queue && event->task <= atomic_load_explicit(&queue->seen, memory_order_acquire);
}

// Each event shows that a task has ended, and in order all before it.
uint64_t mez_progress_follow(const mez_queue *queue, uint64_t reached)
{
    for (const mez_event *event = queue->references.signalled; event; event = event->next) {
        const bool unasked = queue->in_order && event->sort & MEZ_EVENT_DEVICE;
        if (event->task <= reached || unasked)
            continue;
        const bool next = queue->in_order || event->task == reached + 1;
        if (!next || !mez_progress_has_happened(event))
            break;
        reached = event->task;
    }
    return reached;
}

uint64_t mez_progress_look(mez_queue *queue)
{
    uint64_t known = mez_progress_known(queue);
    if (mez_waiters_enter(&queue->waiters)) {
        const uint64_t looked = queue->ops->look(queue);
        known = looked > known ? looked : known;
        mez_waiters_leave(&queue->waiters);
    }
    return mez_progress_follow(queue, known);
}
