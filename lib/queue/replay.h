// SPDX-License-Identifier: MIT
//
// Replays: tasks that execute a closed command list as it is. Whoever encodes such lists (lib/recording) lends one to each
// replay; it comes back when the task has ended, so that no list is in flight twice.

#ifndef MEZ_QUEUE_REPLAY_H
#define MEZ_QUEUE_REPLAY_H

#include "task/readback.h"
#include "queue/queue.h"

typedef struct mez_encoding {
    mez_ref
        ref; // the borrower's until it has submitted it, and the queue's until the task has ended
    void (*give_back)(
        struct mez_encoding *encoding); // with the last reference; may hold a queue's lock
    const void *lender;
    // Regular and closed, of the device's compute engine. It begins with a barrier, and so starts behind everything before it
    // on its queue.
    ze_command_list_handle_t list;
    mez_readback readback; // at its end; without modules where it can't assert

    // Guarded by the lock of the queue that executes it.
    uint64_t task;
    struct mez_encoding *next;
} mez_encoding;

static inline void mez_encoding_ref(mez_encoding *encoding)
{
    mez_ref_get(&encoding->ref);
}

static inline void mez_encoding_unref(mez_encoding *encoding)
{
    if (mez_ref_put(&encoding->ref))
        encoding->give_back(encoding);
}

// Waits until fewer than `most` lists of one lender are in flight on the queue. The caller does not hold its lock. Errors: those of
// a wait for the oldest.
mez_error mez_replays_make_room(mez_queue *queue, const void *lender, uint32_t most);

// Submits a list with nothing to wait for and no event, by the short way that a queue may have. False: it has none, and nothing was
// done. Else *error is how it went; unless it failed the caller's reference is the queue's.
bool mez_replay_at_once(mez_queue *queue, mez_encoding *encoding, mez_error *error);

// A task that executes the list has been appended: takes a reference over until it has ended. The caller holds the queue's lock.
static inline void mez_replays_add(mez_queue *queue, mez_encoding *encoding, uint64_t task)
{
    encoding->task = task;
    encoding->next = NULL;
    if (queue->newest_replay)
        queue->newest_replay->next = encoding;
    else
        queue->oldest_replay = encoding;
    queue->newest_replay = encoding;
    queue->references.any = true;
}

// Tasks up to this one have ended. The caller holds the queue's lock.
static inline void mez_replays_complete(mez_queue *queue, uint64_t task)
{
    while (queue->oldest_replay && queue->oldest_replay->task <= task) {
        mez_encoding *encoding = queue->oldest_replay;
        queue->oldest_replay = encoding->next;
        if (!queue->oldest_replay)
            queue->newest_replay = NULL;
        mez_encoding_unref(encoding);
    }
}

#endif
