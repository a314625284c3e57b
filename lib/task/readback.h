// SPDX-License-Identifier: MIT
//
// A readback: what is read back behind tasks whose kernels can assert. Reading and telling is done by a folder above this one,
// through mez_assert_functions.

#ifndef MEZ_TASK_READBACK_H
#define MEZ_TASK_READBACK_H

#include "image/module.h"

struct mez_queue;

typedef struct mez_readback {
    mez_platform *platform;
    mez_module **modules; // that can assert, each once; alive with the kernels of the tasks
    uint32_t module_count;
    bool native; // there are kernels whose asserts the driver reports, to whoever waits
    uint32_t module_capacity;
    void *records;            // USM host memory, of the hooks
    uint32_t record_capacity; // in modules
    uint64_t last_task;       // behind which it stands
    bool lent;                // it belongs to a recorded list
    struct mez_readback *next;
} mez_readback;

// Tasks that may have failed an assert and do not end.
typedef struct mez_stuck {
    mez_readback *readback;
    uint64_t first_task;
    uint64_t last_task;
} mez_stuck;

typedef struct mez_assert_functions {
    // Appends what brings the asserts' records to the host, behind everything in the list.
    mez_error (*append)(mez_readback *readback, ze_command_list_handle_t list);
    // These tasks have run: looks at the records. Failures are delivered, and kept by the queue. The caller holds its lock.
    void (*look)(
        mez_readback *readback, struct mez_queue *queue, uint64_t first_task, uint64_t last_task);
    // The driver says of a task among these that its assert failed: delivers it. The caller holds the queue's lock.
    mez_error (*reported_by_driver)(
        struct mez_queue *queue, uint64_t first_task, uint64_t last_task);
    // The queue has stalled: looks, beside it, whether an assert has failed. Then it is delivered and the queue given up. No locks
    // are held.
    mez_error (*look_beside)(struct mez_queue *queue);
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
    readback->module_count = 0;
    readback->native = false;
}

// Must somebody look at the end of its tasks though the user does not?
static inline bool mez_readback_wants_watch(const mez_readback *readback)
{
    return readback->module_count > 0 || readback->native;
}

void mez_readback_finish(mez_readback *readback);

#endif
