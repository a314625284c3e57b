// SPDX-License-Identifier: MIT
//
// What is reported of a failed assert: the line, which tasks it may have been, and the error with its story.

#ifndef MEZ_ASSERT_REPORT_H
#define MEZ_ASSERT_REPORT_H

#include <mezzanine/assert.h>

#include "image/module.h"
#include "queue/queue.h"

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

#endif
