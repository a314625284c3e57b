// SPDX-License-Identifier: MIT
//
// Queues: what all kinds share. How commands reach the driver is the kind's own business, behind mez_queue_ops.
//
// The path of a task: most are appended at once (quick_path.h, direct.h). Of the others submit/submit.c or submit/copy.c checks the call
// and describes it as a mez_command; submit/task.c sorts out what it waits for and who gets an event, takes the queue's lock, and gives it
// to the kind (lists/immediate.c, lists/batched.c), which appends it to a command list. Tasks are numbered; the kinds complete them in
// that order. A wait, a later submission or the completion thread sees how far the device has come, and mez_queue_complete lets go of what
// the finished tasks used.
//
// create.c makes and destroys queues, wait.c waits for all that one was given, queue.c connects one with events and the completion
// thread, and frees it.

#ifndef MEZ_QUEUE_QUEUE_H
#define MEZ_QUEUE_QUEUE_H

#include <pthread.h>
#include <stdatomic.h>

#include <mezzanine/queue.h>

#include "base/lock.h"
#include "device/platform.h"
#include "event/pool.h"
#include "memory/timeline.h"
#include "task/command.h"
#include "queue/errors.h"
#include "queue/deferred.h"
#include "task/references.h"
#include "task/history.h"
#include "task/kernels.h"
#include "task/mailbox.h"
#include "trace/probe.h"

// An event outlives its queue, and so any thread may come by to wait for a task while another destroys the queue. Waiters are
// counted, so that the queue's kind stays until the last of them has left; who comes later finds the door closed, and with it
// every task over.
//
// How many are inside, and whether more may come. Zeroed memory is open, and nobody is inside.
typedef atomic_uint mez_waiters;

#define MEZ_WAITERS_CLOSED 0x80000000u

static inline void mez_waiters_leave(mez_waiters *waiters)
{
    atomic_fetch_sub_explicit(waiters, 1, memory_order_release);
}

// False: it is closed.
static inline bool mez_waiters_enter(mez_waiters *waiters)
{
    if (!(atomic_fetch_add_explicit(waiters, 1, memory_order_acquire) & MEZ_WAITERS_CLOSED))
        return true;
    mez_waiters_leave(waiters);
    return false;
}

// What the queues of a context share.
typedef struct mez_queues {
    mez_error_handler on_error; // of those without one of their own
    atomic_bool loss_reported;  // to it
    bool validates;             // copies and fills are checked against allocations
    bool offloads_copies;       // drivers may run them on another engine
    atomic_uint made;           // by the user
} mez_queues;

// One task, from the call that submits it until the driver has it: on the caller's stack, or, where it is deferred, in memory of
// its own with references to all of its events.
typedef struct mez_task {
    mez_command *command;       // of a deferred one a copy of its own
    mez_event *event;           // to signal, with a reference for the queue; NULL: nobody asked
    mez_event **wait;           // events of other queues, already handed to the device
    uint32_t wait_count;        //
    bool waits_for_deferred;    // the task of one of them was deferred when the list was made
    bool released;              // it was deferred, and has nothing before it any more
    ze_event_handle_t *ze_wait; // the same for the driver

    // --- Of a deferred one
    struct mez_task *next; // in the queue's list
    bool is_common;        // its memory has the size that is kept
    uint64_t number;       // among those that the queue has ever deferred
    uint64_t behind;       // of the queue, the tasks up to here are before it; where has_come_up
    uint64_t behind_elsewhere; // and of its companion; 0: none
    bool list_taken;           // by the driver; of a list that the user has filled
    bool has_come_up;          // nothing is before it but what the device has
    atomic_bool runs;          // its function is called just now
} mez_task;

struct mez_stuck;

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
    // A kernel that tasks of the queue use will get other arguments or another group size. NULL: all tasks are in their lists.
    mez_error (*before_setting)(mez_queue *queue);
    // Appends a task and counts it in mez_queue_last_task(queue).
    mez_error (*append)(mez_queue *queue, const mez_task *task);
    // The appended task and what it uses have been noted: hands it on to the driver if it is time. Its error means that the
    // task is lost. NULL: the driver has it already.
    mez_error (*appended)(mez_queue *queue);
    // A recorded list with nothing to wait for and no event, appended and handed on. Takes the caller's reference over unless it
    // fails, and then nothing was submitted. NULL: only by `append`, as when the queue is crowded.
    // A kind with this operation looks by itself for what has ended: `seen` has not been taken up before.
    mez_error (*replay)(mez_queue *queue, struct mez_encoding *encoding);
    // Hands everything up to the task to the device. NULL: it always is.
    mez_error (*flush)(mez_queue *queue, uint64_t task);
    // There is no room for another event, though tasks may have ended: completes those that can be found without waiting.
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
    // What the oldest task that has not ended can assert with; false: it can't. The caller holds the lock.
    bool (*find_stuck)(mez_queue *queue, struct mez_stuck *stuck);
    // Looks, without waiting or retiring anything, up to which task everything has ended. The caller holds the lock.
    uint64_t (*look)(mez_queue *queue);
} mez_queue_ops;

struct mez_adaptive;
struct mez_batch;
struct mez_batched;
struct mez_encoding;
struct mez_immediate;
struct mez_traced;

// See stall.h.
typedef struct mez_stall {
    uint64_t progress; // the last task that was seen to have ended
    uint64_t since;    // when that was first seen; ns of CLOCK_MONOTONIC; 0: nobody has waited yet
    uint64_t looked;   // when a waiter looked last
    uint64_t beside;   // when it was last asked, beside the queue, whether an assert has failed
    bool warned;
} mez_stall;

struct mez_queue {
    mez_lock lock; // guards everything the kind keeps, and all below the line; never held in a wait
    // The user's, one for each event of its own, each prepared launch, and the completion thread's.
    mez_ref ref;
    mez_platform *platform; // referenced
    mez_device *device;
    mez_object object;
    // The numbers of the newest task, they count from 1, and of the last that ended.
    mez_timeline timeline;
    char *name;
    bool in_order; // each task waits for the one before it
    const mez_queue_ops *ops;
    const mez_engine *engine;       // the device's, on which it runs
    bool any_engine;                // the user left the choice to us, for each task
    _Atomic(mez_queue *) companion; // on another engine, see companion.h; NULL: none was needed yet
    ze_command_queue_priority_t priority;
    bool several_lists;            // no barrier of one list orders it
    unsigned event_sort;           // of its tasks' events
    bool discard_events;           // nobody gets one
    struct mez_handling *handling; // NULL: nobody handles its errors
    // Never MEZ_ASSERT_INHERIT; zero of our own queues, which run no kernels.
    mez_assert_params asserts;
    // Who waits for its events; closed before its kind lets go of what it has.
    mez_waiters waiters;
    // All that a task which waits for no events needs is an append here; NULL: it needs more, as slow.h says. Whoever has found it
    // without the lock looks again with it.
    _Atomic(ze_command_list_handle_t) in_order_list;
    ze_command_list_handle_t list; // what that is while nothing slows the queue down; NULL: none
    atomic_uint slow;              // what does: mez_slow
    // Lists that the driver keeps in order, each by itself, and that direct tasks take in turn (direct.h); NULL: none, ever.
    const ze_command_list_handle_t *lists;
    uint32_t list_count; // a power of two; 0: none now; guarded by the lock, as are the next
    uint32_t turn;       // of the next task, modulo that
    bool watched;        // the completion thread looks at its newest task
    bool dozes;          // its timeline has to be woken: memory/timeline.h
    struct mez_batched *batched;     // what the batched kind keeps
    struct mez_immediate *immediate; // what the immediate kinds keep
    struct mez_adaptive *adaptive;   // what the adaptive kind keeps; NULL: it is of another kind
    const mez_task_hooks *hooks;     // called around its tasks
    struct mez_traced *traced;       // see traced.h; NULL: its tasks are reported to no tool

    // --- Guarded by the lock
    uint64_t completed;             // tasks up to this one have ended, and nothing of them is kept
    uint64_t barrier;               // the newest task that is one; not of an in-order queue
    atomic_bool failed;             // a wait has an error to return; read without the lock
    mez_error why_abandoned;        // retained; set before MEZ_SLOW_ABANDONED
    mez_queue *next_left;           // of those that were destroyed so
    mez_event_cache events;         // for its tasks
    mez_event_cache device_events;  // the same that the host does not see happen
    mez_task_references references; // what tasks that have not ended use
    mez_used_kernels kernels;       // kernels it has run
    mez_mailboxes mailboxes;        // where its launches post failed asserts
    mez_history history;            // its newest tasks
    mez_stall stall;                // how far waiters have seen it come
    mez_deferred_tasks deferred;    // tasks that the library keeps for now
    mez_failures failures;          // of tasks, until somebody has received them

    // Somebody has seen tasks up to this one end. Written without the lock; the next submission or wait takes it up.
    atomic_uint_fast64_t seen;
};

extern const mez_queue_ops mez_batched_queue;   // regular lists, many tasks a submission
extern const mez_queue_ops mez_immediate_queue; // in-order immediate lists of new drivers
extern const mez_queue_ops mez_adaptive_queue;  // either of these two, as bursts of tasks need
extern const mez_queue_ops mez_basic_queue;     // lists of one task
extern const mez_queue_ops mez_basic_immediate_queue; // an immediate list, events between tasks

// Of the immediate kinds: what reads back the record of a kernel's asserts, to be taken before the kernel is appended; NULL: no memory.
// The caller holds the lock, here and below.
mez_readback *mez_immediate_take_readback(mez_queue *queue, mez_module *module);

// The kernel was not appended.
void mez_immediate_give_readback(mez_queue *queue, mez_readback *readback);

// The same of a kernel that posts, and needs no more than a look at the mailboxes.
void mez_immediate_watch_posts(mez_queue *queue);

// It was, and is not counted yet: who waits reads the count without the lock, and then looks at what was read back.
void mez_immediate_read_back(
    mez_queue *queue, mez_readback *readback, ze_command_list_handle_t list);

// Of queues with lists in order: waits for everything up to `newest`, which was read before it was known that they have it.
mez_error mez_immediate_wait_up_to(mez_queue *queue, uint64_t newest, mez_deadline deadline);

// Is anything to be looked at when the tasks of its lists have ended? The caller holds the lock.
bool mez_immediate_reads_back(const mez_queue *queue);

// Of an adaptive queue: a thread of the program has waited, and may have seen its last task end. The caller holds the lock.
void mez_adaptive_note_wait(mez_queue *queue);
// The same without the lock.
void mez_adaptive_end_wait(mez_queue *queue);

// Sets what MEZ_QUEUE says; leaves *kind as it is where it is not set. Error: MEZ_ERRC_INVALID_PARAMETER.
mez_error mez_queue_read_setting(mez_queue_kind *kind);

// The same of MEZ_COPY_OFFLOAD, which is on where it is not set.
mez_error mez_queue_read_offload_setting(bool *offloads);

// The kind for a queue: MEZ_QUEUE, else what the parameters ask for, else what suits the driver.
mez_error mez_queue_choose_kind(
    const mez_caps *caps, mez_queue_kind wanted, bool in_order, const mez_queue_ops **ops);

// Sets the engine and the priority that the parameters ask for.
mez_error mez_queue_choose_engine(mez_queue *queue, const mez_queue_params *params);

// What the driver has to know to make a queue, or an immediate list, for this queue.
ze_command_queue_desc_t mez_queue_description(const mez_queue *queue);

// Appends a task whose kernel has been found and for which there is room. Takes over the task's reference to its event, also
// where it fails. The caller holds the lock, which is not let go.
mez_error mez_queue_append_now(mez_queue *queue, const mez_task *task);

// An in-order queue of our own; it is nobody's object.
mez_error mez_queue_create_hidden(mez_platform *platform, mez_device *device,
    const mez_engine *engine, const char *name, mez_queue **queue);

// Ends one that is nobody's object, and has been waited for.
void mez_queue_destroy_hidden(mez_queue *queue);

// Has the completion thread wait for a task beside the user. Where there is no memory or no thread the user's own waits still
// report. The caller holds the lock.
void mez_queue_watch(mez_queue *queue, uint64_t task);

// The same of a queue with lists in order (queue->lists): of its newest task, and of those that come while that has not ended, so that
// a queue needs one watch for them all.
void mez_queue_watch_newest(mez_queue *queue);

// mez_queue_wait_for, for the library itself: no tool is notified of a call.
mez_error mez_queue_wait_quietly(mez_queue *queue, uint64_t timeout);

// The program's thread waits, but the program has not called for that, and nobody would receive an error: what goes wrong is for the
// queue's handler, else logged. `where`: the call that destroys the queue, or its context.
void mez_queue_wait_and_log(const mez_location *where, mez_queue *queue);

// Waits by the queue's kind for everything up to the task, and reports what has ended to tools. Errors are those of the kind's `wait`.
mez_error mez_queue_wait_for_task(mez_queue *queue, uint64_t task, mez_deadline deadline);

// Takes a task apart (what to wait for, whether an event is wanted), and gives it to the queue's kind.
mez_error mez_queue_submit_task(
    mez_queue *queue, mez_command *command, const mez_task_params *params);

// Submits a deferred task that has nothing before it any more, and lets it go (mez_queue_let_go_deferred). Called by the completion
// thread without locks.
void mez_queue_submit_deferred(mez_queue *queue, mez_task *task);

// The list for tasks that need no more than an append; NULL: there is none.
static inline ze_command_list_handle_t mez_queue_in_order_list(const mez_queue *queue)
{
    return atomic_load_explicit(&queue->in_order_list, memory_order_relaxed);
}

// The number of the newest task. The caller holds the lock.
static inline uint64_t mez_queue_last_task(const mez_queue *queue)
{
    return atomic_load_explicit(&queue->timeline.submitted, memory_order_relaxed);
}

// Its timeline is looked at again. The caller holds the lock.
__attribute__((cold)) void mez_queue_wake(mez_queue *queue);

// One more task has been appended: its number. The caller holds the lock, and the list for quick paths is there.
static inline uint64_t mez_queue_count_quick(mez_queue *queue)
{
    const uint64_t task = mez_queue_last_task(queue) + 1;
    atomic_store_explicit(&queue->timeline.submitted, task, memory_order_release);
    return task;
}

// The same on the other paths.
static inline uint64_t mez_queue_count_task(mez_queue *queue)
{
    if (__builtin_expect(queue->dozes, 0))
        mez_queue_wake(queue);
    return mez_queue_count_quick(queue);
}

// To be called before anything is set on a kernel that the queue has used. The caller holds the lock.
static inline mez_error mez_queue_before_setting(mez_queue *queue)
{
    return queue->ops->before_setting ? queue->ops->before_setting(queue) : mez_ok();
}

// Must a barrier of ours keep the task behind what is before it? A task that is itself a barrier does so in either order of
// queue; without events it needs no help, with events it would wait for those alone.
static inline bool mez_task_needs_barrier(const mez_queue *queue, const mez_task *task)
{
    if (task->command->kind == MEZ_COMMAND_NOTHING)
        return task->wait_count > 0;
    return queue->in_order;
}

// Adds what a task is that may have ended: its kernel's name may be gone then. The caller holds the lock.
void mez_queue_describe_task(const mez_queue *queue, uint64_t task, mez_text *text);

// Tasks up to this one have ended: completes their events, and lets go of what they used. Not inlined: in rare branches of functions
// that count instructions, the body below would cost these. The caller holds the lock.
void mez_queue_complete(mez_queue *queue, uint64_t task, mez_error outcome);

// The same, for paths that count instructions.
static inline void mez_queue_complete_now(mez_queue *queue, uint64_t task, mez_error outcome)
{
    if (task <= queue->completed)
        return;
    queue->completed = task;
    MEZ_PROBE(tasks__done, queue, task, outcome.value);
    // On a lost device, and on others that count as lost with it, kernels may be running still: the memory that they use is
    // freed behind the queue.
    if (__builtin_expect(!mez_failed(outcome), 1) || !mez_error_is(outcome, MEZ_ERRC_DEVICE_LOST))
        atomic_store_explicit(&queue->timeline.completed, task, memory_order_release);
    if (queue->references.any)
        mez_task_references_complete(&queue->references, task, outcome);
    mez_used_kernels_complete(&queue->kernels, task);
}

// Tasks from `first` to `last` were lost before the device saw them. The caller holds the lock.
void mez_queue_lose(mez_queue *queue, uint64_t first, uint64_t last, mez_error outcome);

// Takes up what was seen without the lock. The caller holds it.
static inline void mez_queue_take_up_seen(mez_queue *queue)
{
    const uint64_t seen = atomic_load_explicit(&queue->seen, memory_order_acquire);
    if (__builtin_expect(seen > queue->completed, 0))
        mez_queue_complete(queue, seen, mez_ok());
}

// Must the library defer this task? The caller holds the lock.
static inline bool mez_queue_must_defer(const mez_queue *queue, const mez_task *task)
{
    const bool maybe = queue->deferred.first || task->waits_for_deferred ||
                       task->command->kind == MEZ_COMMAND_HOST;
    return __builtin_expect(maybe, 0) && mez_queue_stays_behind(queue, task);
}

// Of the events of a queue's tasks.
extern const mez_event_source mez_queue_source;

// Errors: MEZ_ERRC_INVALID_PARAMETER, of another context; MEZ_ERRC_FEATURE_NOT_SUPPORTED, the engine runs no kernels.
mez_error mez_queue_check_kernel(const mez_queue *queue, const mez_kernel *kernel);

// What the user needs to find a failed submission again: the names of queue and task, and the place of the call.
mez_error mez_queue_add_facts(
    mez_error error, const mez_location *where, mez_queue *queue, const mez_task_params *task);

// The same for a launch, which has failed: the kernel's name, too.
__attribute__((cold)) mez_error mez_queue_add_launch_facts(mez_error error,
    const mez_location *where, mez_queue *queue, const mez_kernel *kernel,
    const mez_task_params *task);

// The same for a task that fails after its submission. The lock may be held.
mez_error mez_queue_add_task_facts(
    mez_error error, const mez_location *where, const mez_queue *queue, const char *debug_name);

void mez_queue_ref(mez_queue *queue);
void mez_queue_unref(mez_queue *queue);

static inline bool mez_queue_has_failed(const mez_queue *queue)
{
    return atomic_load_explicit(&queue->failed, memory_order_acquire);
}

// The driver has another task of the queue, which may be one without a handler. The caller holds the lock.
static inline void mez_handling_watch(mez_queue *queue)
{
    if (__builtin_expect(queue->handling != NULL, 0))
        mez_queue_watch_newest(queue);
}

#endif
