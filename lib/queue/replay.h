// SPDX-License-Identifier: MIT
//
// Submission of replays: tasks that execute a closed command list as it is (task/encoding.h).

#ifndef MEZ_QUEUE_REPLAY_H
#define MEZ_QUEUE_REPLAY_H

#include "queue/queue.h"

// Waits until fewer than `most` lists of one lender are in flight on the queue. The caller does not hold its lock. Errors: those of
// a wait for the oldest.
mez_error mez_replays_make_room(mez_queue *queue, const void *lender, uint32_t most);

// Submits a list with nothing to wait for and no event, by the short way that a queue may have. False: it has none, and nothing was
// done. Else *error is how it went; unless it failed the caller's reference is the queue's.
bool mez_replay_at_once(mez_queue *queue, mez_encoding *encoding, mez_error *error);

#endif
