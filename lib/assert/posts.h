// SPDX-License-Identifier: MIT
//
// What launches have posted (task/mailbox.h).
//
// Thread-safety: the caller holds the queue's lock.

#ifndef MEZ_ASSERT_POSTS_H
#define MEZ_ASSERT_POSTS_H

#include "assert/report.h"
#include "task/mailbox.h"

// A walk over tasks of a queue.
typedef struct mez_posts {
    mez_queue *queue;
    const mez_readback *readback; // of the tasks; it says which mailboxes they post to
    uint64_t task;                // the next one
    uint64_t last_task;
    // Some tasks may run or hang: failures whose record is not complete are left for a later walk.
    bool still_run;
} mez_posts;

// The next failure that no walk has found before. False: there are no more.
bool mez_posts_next(mez_posts *posts, mez_failed_assert *failed);

#endif
