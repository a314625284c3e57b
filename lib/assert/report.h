// SPDX-License-Identifier: MIT
//
// What is reported of a failed assert: the line, which tasks it may have been, and the error with its story. And where failures are found:
// in records, and in what launches have posted.

#ifndef MEZ_ASSERT_REPORT_H
#define MEZ_ASSERT_REPORT_H

#include <mezzanine/assert.h>

#include "base/text.h"
#include "image/module.h"
#include "queue/queue.h"
#include "task/mailbox.h"

// A failure, and the tasks that a kernel of its module may have been among.
typedef struct mez_failed_assert {
    mez_module *module; // NULL: the driver does not say which
    mez_queue *queue;
    uint64_t first_task;
    uint64_t last_task;
    const mez_assert_mailbox *mailbox; // that the one task has posted to; NULL: it was not posted
    uint32_t launch;                   // there
    const mez_assert_record *record;   // its flag is MEZ_ASSERT_NONE where nothing more is known
} mez_failed_assert;

// May it be the task's? Unknown tasks, such as recordings, may. The caller holds the queue's lock.
bool mez_assert_may_be_of(const mez_failed_assert *failed, uint64_t task);

// What becomes of a failed assert, by the queue's policy: prints and aborts; or prints, or has the user's function called, and returns
// the error for whoever waits. The caller holds the queue's lock.
mez_error mez_assert_deliver(const mez_failed_assert *failed);

// --- Records

enum mez_assert_flag {
    MEZ_ASSERT_NONE = 0,
    MEZ_ASSERT_WRITING = 1, // device side only: a finished kernel never leaves it
    MEZ_ASSERT_FAILED = 2,
};

// The line in C's own words, with a newline. Strings that the device left empty or unterminated are safe.
void mez_assert_format(const mez_assert_record *record, mez_text *line);

// The failing work-items of a submission, as errors carry them.

typedef struct mez_collection {
    uint64_t total; // work-items that failed
    uint64_t count; // of these
    mez_assert_record records[];
} mez_collection;

// Gives the error these records; the first of them failed first.
mez_error mez_collection_attach(
    mez_error error, uint64_t total, const mez_assert_record *records, size_t count);

// --- Posts
//
// What launches have posted (task/mailbox.h).
//
// Thread-safety: the caller holds the queue's lock.

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
