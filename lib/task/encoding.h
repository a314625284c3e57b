// SPDX-License-Identifier: MIT
//
// Closed command lists that tasks execute as they are. Whoever encodes such lists (lib/recording) lends one to each replay; it comes
// back when the task has ended, so that no list is in flight twice.

#ifndef MEZ_TASK_ENCODING_H
#define MEZ_TASK_ENCODING_H

#include "task/readback.h"

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

#endif
