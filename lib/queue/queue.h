// SPDX-License-Identifier: MIT
//
// Queues: what all kinds share. How commands reach the driver is the kind's own business, behind mez_queue_ops.
//
// The path of a task: submit.c or copy.c checks the call and describes it as a mez_command; task.c sorts out what it waits
// for and who gets an event; the kind (batched.c) appends it to a command list and hands lists to the driver; a wait, or the
// completion thread, sees the list's end, and retiring it lets go of everything the tasks used.

#ifndef MEZ_QUEUE_QUEUE_H
#define MEZ_QUEUE_QUEUE_H

#include <pthread.h>

#include <mezzanine/queue.h>

#include "device/object.h"
#include "event/event.h"
#include "memory/timeline.h"
#include "queue/command.h"

// One task on its way in. The kind takes its own references of kernel and events when it succeeds.
typedef struct mez_task {
    const mez_command *command;
    mez_event *event;       // to signal, NULL: nobody asked
    mez_event *const *wait; // events of other queues, already handed to the device
    uint32_t wait_count;
} mez_task;

typedef struct mez_queue_ops {
    const char *name;
    // Gives the queue what it needs. On failure nothing is left to finish.
    mez_error (*init)(mez_queue *queue);
    // Frees it. Nothing is in flight any more, or the device is lost.
    void (*finish)(mez_queue *queue);
    // Takes a task; *number is its number. The caller does not hold the lock.
    mez_error (*submit)(mez_queue *queue, const mez_task *task, uint64_t *number);
    // Hands everything up to the task to the device.
    mez_error (*flush)(mez_queue *queue, uint64_t task);
    // Waits for everything up to the task. MEZ_ERRC_TIMEOUT; what a driver says.
    mez_error (*wait)(mez_queue *queue, uint64_t task, mez_deadline deadline);
    // The task's event has happened: waits for whatever could still be reported of the task.
    mez_error (*settle)(mez_queue *queue, uint64_t task, mez_deadline deadline);
    // Looks, without waiting or retiring anything, up to which task everything has ended. The caller holds the lock.
    uint64_t (*look)(mez_queue *queue);
} mez_queue_ops;

struct mez_batched;

struct mez_queue {
    mez_ref ref; // the user's, one for each event of its tasks, and the completion thread's
    mez_platform *platform; // referenced
    mez_device *device;
    mez_object object;
    mez_timeline timeline; // what memory sees of it; the kind raises its two numbers
    char *name;
    const mez_queue_ops *ops;
    struct mez_batched *batched; // what the batched kind keeps

    pthread_mutex_t
        lock;           // guards everything the kind keeps, and the two below; never held in a wait
    uint64_t last_task; // number of the newest task; they count from 1
    mez_error error;    // of a finished task, until somebody is told
};

extern const mez_queue_ops mez_batched_queue;

// Takes a task apart (what to wait for, whether an event is wanted), and gives it to the queue's kind.
mez_error mez_queue_submit_task(
    mez_queue *queue, const mez_command *command, const mez_task_params *params);

// What the user needs to find a failed submission again: the names of queue and task, and the place of the call.
mez_error mez_queue_tell(mez_error error, const mez_location *where, const mez_queue *queue,
    const mez_task_params *task);

void mez_queue_ref(mez_queue *queue);
void mez_queue_unref(mez_queue *queue);

// Keeps the first error of a finished task for the next wait. The caller holds the lock.
void mez_queue_keep_error(mez_queue *queue, mez_error error);

#endif
