// SPDX-License-Identifier: MIT
//
// A probe: what is read back behind tasks whose kernels can assert. Reading and telling is done by a folder above this one,
// through mez_probe_hooks.

#ifndef MEZ_TASK_READBACK_H
#define MEZ_TASK_READBACK_H

#include "image/module.h"

struct mez_queue;

typedef struct mez_probe {
    mez_platform *platform;
    mez_module **modules; // that can assert, each once; alive with the kernels of the tasks
    uint32_t module_count;
    bool native; // there are kernels whose asserts the driver reports, to whoever waits
    uint32_t module_capacity;
    void *records;            // USM host memory, of the hooks
    uint32_t record_capacity; // in modules
    uint64_t last_task;       // behind which it stands
    bool lent;                // it belongs to a recorded list
    struct mez_probe *next;
} mez_probe;

// Tasks that may have failed an assert and do not end.
typedef struct mez_stuck {
    mez_probe *probe;
    uint64_t first_task;
    uint64_t last_task;
} mez_stuck;

typedef struct mez_probe_hooks {
    // Appends what brings the asserts' records to the host, behind everything in the list.
    mez_error (*append)(mez_probe *probe, ze_command_list_handle_t list);
    // These tasks have run: looks at the records. Failures are delivered, and kept by the queue. The caller holds its lock.
    void (*look)(
        mez_probe *probe, struct mez_queue *queue, uint64_t first_task, uint64_t last_task);
    // The driver says of a task among these that its assert failed: delivers it. The caller holds the queue's lock.
    mez_error (*told_by_driver)(struct mez_queue *queue, uint64_t first_task, uint64_t last_task);
    // The queue has stalled: looks, beside it, whether an assert has failed. Then it is delivered and the queue given up. No locks
    // are held.
    mez_error (*look_beside)(struct mez_queue *queue);
    // To be called before a failure is handed to the user, without locks: the device forgets it.
    void (*settle)(mez_platform *platform);
    // Frees the records.
    void (*finish)(mez_probe *probe);
} mez_probe_hooks;

// Makes room for one more module, so that adding it can't fail.
mez_error mez_probe_reserve(mez_probe *probe);
void mez_probe_add(mez_probe *probe, mez_module *module);

// Nothing is asked of it any more.
static inline void mez_probe_empty(mez_probe *probe)
{
    probe->module_count = 0;
    probe->native = false;
}

// Must somebody look at the end of its tasks though the user does not?
static inline bool mez_probe_wants_watch(const mez_probe *probe)
{
    return probe->module_count > 0 || probe->native;
}

void mez_probe_finish(mez_probe *probe);

// The hooks, and a traced queue tells of them. The same conditions hold.
mez_error mez_probe_append(
    mez_probe *probe, struct mez_queue *queue, ze_command_list_handle_t list);
void mez_probe_look(
    mez_probe *probe, struct mez_queue *queue, uint64_t first_task, uint64_t last_task);
mez_error mez_probe_look_beside(struct mez_queue *queue);

#endif
