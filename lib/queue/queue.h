// SPDX-License-Identifier: MIT
//
// Queues: what all kinds share. How commands reach the driver is the kind's own business, behind mez_queue_ops.
//
// The path of a task: submit.c or copy.c checks the call and describes it as a mez_command; task.c sorts out what it waits
// for and who gets an event, takes the queue's lock, and gives it to the kind (immediate.c, batched.c), which appends it to a
// command list. Tasks are numbered; the kinds complete them in that order. A wait, a later submission or the completion
// thread sees how far the device has come, and mez_queue_complete lets go of what the finished tasks used.

#ifndef MEZ_QUEUE_QUEUE_H
#define MEZ_QUEUE_QUEUE_H

#include <pthread.h>

#include <mezzanine/queue.h>

#include "base/lock.h"
#include "device/object.h"
#include "event/event.h"
#include "memory/timeline.h"
#include "queue/command.h"
#include "queue/held.h"
#include "queue/kept.h"
#include "queue/uses.h"

// One task on its way in.
typedef struct mez_task {
    const mez_command *command;
    mez_event *event;       // to signal, NULL: nobody asked
    mez_event *const *wait; // events of other queues, already handed to the device
    uint32_t wait_count;
    bool waits_for_held;        // the task of one of them was held when the list was made
    ze_event_handle_t *ze_wait; // the same for the driver
} mez_task;

// Everything but init, finish, wait and settle is called with the queue's lock held.
typedef struct mez_queue_ops {
    const char *name;
    // Gives the queue what it needs. On failure nothing is left to finish.
    mez_error (*init)(mez_queue *queue);
    // Frees it. Nothing is in flight any more, or the device is lost.
    void (*finish)(mez_queue *queue);
    // The task that must have finished before another is submitted, so that a fast producer does not run away from the
    // device; 0: none. NULL: there is no such bound.
    uint64_t (*crowded)(mez_queue *queue);
    // Appends a task and counts it in mez_queue_last_task(queue).
    mez_error (*append)(mez_queue *queue, const mez_task *task);
    // The appended task and what it uses have been noted: hands it on to the driver if it is time. Its error means that the
    // task is lost. NULL: the driver has it already.
    mez_error (*appended)(mez_queue *queue);
    // Hands everything up to the task to the device. NULL: it always is.
    mez_error (*flush)(mez_queue *queue, uint64_t task);
    // There is no room for another event, though tasks may have ended: completes those, as far as can be told without waiting.
    // NULL: submissions do so anyway.
    void (*catch_up)(mez_queue *queue);
    // Waits for everything up to the task. MEZ_ERRC_TIMEOUT; what a driver says.
    mez_error (*wait)(mez_queue *queue, uint64_t task, mez_deadline deadline);
    // The task's event has happened: waits for whatever could still be reported of the task.
    mez_error (*settle)(mez_queue *queue, uint64_t task, mez_deadline deadline);
    // A list for the user to fill without the lock; MEZ_COMMAND_LIST then appends it. It waits for no events of its own.
    mez_error (*take_list)(mez_queue *queue, struct mez_batch **batch);
    // Takes back a list that was not appended.
    void (*give_list)(mez_queue *queue, struct mez_batch *batch);
    // Looks, without waiting or retiring anything, up to which task everything has ended. The caller holds the lock.
    uint64_t (*look)(mez_queue *queue);
} mez_queue_ops;

struct mez_batch;
struct mez_batched;
struct mez_immediate;

struct mez_queue {
    mez_ref ref; // the user's, one for each event of its tasks, and the completion thread's
    mez_platform *platform; // referenced
    mez_device *device;
    mez_object object;
    // The numbers of the newest task, they count from 1, and of the last that ended.
    mez_timeline timeline;
    char *name;
    bool in_order; // each task waits for the one before it
    const mez_queue_ops *ops;
    bool profiling; // its events are timed
    // All that a task without events needs is an append here; NULL: it needs more. Written under the lock; whoever has found
    // it without the lock looks again with it.
    _Atomic(ze_command_list_handle_t) in_order_list;
    struct mez_batched *batched;     // what the batched kind keeps
    struct mez_immediate *immediate; // what the immediate kinds keep

    mez_lock lock;      // guards everything the kind keeps, and all below; never held in a wait
    uint64_t completed; // tasks up to this one have ended, and nothing of them is kept
    uint64_t barrier;   // the newest task that is one; not of an in-order queue
    mez_error error;    // of a finished task, until somebody is told
    atomic_bool failed; // there is such an error; read without the lock
    mez_kept kept;      // what tasks that have not ended use
    mez_uses uses;      // kernels it has run
    mez_holds holds;    // tasks that the runtime holds back

    // Somebody has seen tasks up to this one end. Written without the lock; the next submission or wait takes it up.
    atomic_uint_fast64_t seen;
};

extern const mez_queue_ops mez_batched_queue;         // regular lists, many tasks a submission
extern const mez_queue_ops mez_immediate_queue;       // in-order immediate list of new drivers
extern const mez_queue_ops mez_basic_immediate_queue; // immediate list of any driver

// The kind for a queue: MEZ_QUEUE, else what the parameters ask for, else what suits the driver.
mez_error mez_queue_choose_kind(
    const mez_caps *caps, mez_queue_kind wanted, bool in_order, const mez_queue_ops **ops);

// The same launch as the last of this kernel, with nothing to wait for and no event: appended without the checks that it passed
// then. False: it is not that, and nothing was done. *error is that of the append.
bool mez_queue_launch_again(mez_queue *queue, const mez_kernel *kernel, const mez_range *range,
    const mez_args *args, mez_error *error);

// Takes a task apart (what to wait for, whether an event is wanted), and gives it to the queue's kind.
mez_error mez_queue_submit_task(
    mez_queue *queue, mez_command *command, const mez_task_params *params);

// Gives a task to the kind that was held back, and has nothing before it any more; told of what came of it with the lock held.
// Called by the completion thread without locks.
typedef void mez_released_function(mez_queue *queue, struct mez_held_task *held, mez_error outcome);
void mez_queue_submit_released(mez_queue *queue, mez_command *command, mez_task *task,
    struct mez_held_task *held, mez_released_function *let_go);

// The list for tasks that need no more than an append; NULL: there is none.
static inline ze_command_list_handle_t mez_queue_in_order_list(const mez_queue *queue)
{
    return atomic_load_explicit(&queue->in_order_list, memory_order_relaxed);
}

// While the queue holds tasks nothing may pass them. Returns the list. The caller holds the lock.
static inline ze_command_list_handle_t mez_queue_hide_in_order_list(mez_queue *queue)
{
    return atomic_exchange_explicit(&queue->in_order_list, NULL, memory_order_relaxed);
}

static inline void mez_queue_show_in_order_list(mez_queue *queue, ze_command_list_handle_t list)
{
    atomic_store_explicit(&queue->in_order_list, list, memory_order_relaxed);
}

// The number of the newest task. The caller holds the lock.
static inline uint64_t mez_queue_last_task(const mez_queue *queue)
{
    return atomic_load_explicit(&queue->timeline.submitted, memory_order_relaxed);
}

// One more task has been appended: its number. The caller holds the lock.
static inline uint64_t mez_queue_count_task(mez_queue *queue)
{
    const uint64_t task = mez_queue_last_task(queue) + 1;
    atomic_store_explicit(&queue->timeline.submitted, task, memory_order_release);
    return task;
}

// Must a barrier of ours keep the task behind what is before it? A task that is itself a barrier does so in either order of
// queue; without events it needs no help, with events it would wait for those alone.
static inline bool mez_task_needs_barrier(const mez_queue *queue, const mez_task *task)
{
    if (task->command->kind == MEZ_COMMAND_NOTHING)
        return task->wait_count > 0;
    return queue->in_order;
}

// Tasks up to this one have ended: tells their events, and lets go of what they used. The caller holds the lock.
void mez_queue_complete(mez_queue *queue, uint64_t task, mez_error outcome);

// Tasks from `first` to `last` were lost before the device saw them. The caller holds the lock.
void mez_queue_lose(mez_queue *queue, uint64_t first, uint64_t last, mez_error outcome);

// Takes up what was seen without the lock. The caller holds it.
static inline void mez_queue_take_up_seen(mez_queue *queue)
{
    const uint64_t seen = atomic_load_explicit(&queue->seen, memory_order_acquire);
    if (__builtin_expect(seen > queue->completed, 0))
        mez_queue_complete(queue, seen, mez_ok());
}

// What the user needs to find a failed submission again: the names of queue and task, and the place of the call.
mez_error mez_queue_tell(mez_error error, const mez_location *where, const mez_queue *queue,
    const mez_task_params *task);

void mez_queue_ref(mez_queue *queue);
void mez_queue_unref(mez_queue *queue);

// Keeps the first error of a finished task for the next wait. The caller holds the lock.
void mez_queue_keep_error(mez_queue *queue, mez_error error);

#endif
