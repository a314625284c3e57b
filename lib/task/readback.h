// SPDX-License-Identifier: MIT
//
// A readback: what is read back behind tasks whose kernels can assert. A folder above this one reads and reports,
// through mez_assert_functions.

#ifndef MEZ_TASK_READBACK_H
#define MEZ_TASK_READBACK_H

#include "base/vector.h"
#include "image/module.h"

struct mez_queue;

typedef struct mez_readback {
    mez_platform *platform;
    MEZ_VECTOR(mez_module *)
    modules;     // that can assert, each once; alive with the kernels of the tasks
    bool native; // there are kernels whose asserts the driver reports, to whoever waits
    bool posts;  // there are kernels that post: to `mailbox`, else to those of the queue
    struct mez_mailbox *mailbox; // of a recorded list: see mailbox.h; NULL: it needs none
    void *records;               // USM host memory, of the hooks
    uint32_t record_capacity;    // in modules
    uint64_t last_task;          // behind which it stands
    bool lent;                   // it belongs to a recorded list
    struct mez_readback *next;
} mez_readback;

// Tasks that may have failed an assert and do not end.
typedef struct mez_stuck {
    mez_readback *readback;
    uint64_t first_task;
    uint64_t last_task;
} mez_stuck;

// What is called around and behind the tasks of a queue, by queue->hooks: lib/assert has these functions, and where tools listen to the
// queue others stand before them, which notify the tools of each call.
typedef struct mez_task_hooks {
    // Appends what brings the asserts' records to the host, behind everything in the list. The queue is NULL for a recording.
    mez_error (*append)(
        mez_readback *readback, struct mez_queue *queue, ze_command_list_handle_t list);
    // These tasks have run: looks at the records. Failures are delivered, and kept by the queue. The caller holds its lock.
    void (*look)(
        mez_readback *readback, struct mez_queue *queue, uint64_t first_task, uint64_t last_task);
    // The queue has stalled: looks, beside it, whether an assert has failed. Then it is delivered and the queue given up. No locks
    // are held.
    mez_error (*look_beside)(struct mez_queue *queue);
    // A wait is over: tasks may have ended. The caller holds the lock. NULL: nobody needs to know.
    void (*ended)(struct mez_queue *queue);
} mez_task_hooks;

typedef struct mez_assert_functions {
    mez_task_hooks hooks; // of queues to which no tool listens
    // The driver says of a task among these that its assert failed: delivers it. The caller holds the queue's lock.
    mez_error (*reported_by_driver)(
        struct mez_queue *queue, uint64_t first_task, uint64_t last_task);
    // To be called before a failure is handed to the user, without locks: the device forgets it.
    void (*settle)(mez_platform *platform);
    // Frees the records.
    void (*finish)(mez_readback *readback);
} mez_assert_functions;

// Makes room for one more module, so that adding it can't fail.
mez_error mez_readback_reserve(mez_readback *readback);
void mez_readback_add(mez_readback *readback, mez_module *module);

// Nothing is asked of it any more.
static inline void mez_readback_empty(mez_readback *readback)
{
    readback->modules.count = 0;
    readback->native = false;
    readback->posts = false;
}

// Is there something to look at when its tasks have ended?
static inline bool mez_readback_can_fail(const mez_readback *readback)
{
    return readback->modules.count > 0 || readback->posts;
}

// Must somebody look at the end of its tasks though the user does not?
static inline bool mez_readback_wants_watch(const mez_readback *readback)
{
    return mez_readback_can_fail(readback) || readback->native;
}

void mez_readback_finish(mez_readback *readback);

// --- Encodings

// Closed command lists that tasks execute as they are. Whoever encodes such lists (lib/recording) lends one to each replay; it comes
// back when the task has ended, so that no list is in flight twice.
typedef struct mez_encoding {
    // The borrower's until it has submitted it, and the queue's until the task has ended.
    mez_ref ref;
    // Called with the last reference; may hold a queue's lock.
    void (*give_back)(struct mez_encoding *encoding);
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
