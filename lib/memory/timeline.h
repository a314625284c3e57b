// SPDX-License-Identifier: MIT
//
// All that memory needs to know of a queue: which of its tasks have ended. That decides when memory that was freed while queues
// were busy may be used again.
//
// A queue of any kind has one of these, numbers its tasks from 1, and raises `submitted` before a submission returns to the
// user and `completed` whenever it notices an end. With a queue that completes out of order `completed` is the number up to
// which all tasks have ended.
//
// Thread-safety: safe.

#ifndef MEZ_MEMORY_TIMELINE_H
#define MEZ_MEMORY_TIMELINE_H

#include "base/list.h"
#include "device/platform.h"

typedef struct mez_timeline {
    atomic_uint_fast64_t submitted; // number of the newest task
    atomic_uint_fast64_t completed; // every task up to this one has ended, or never ran
    // Deferred tasks have no number yet. They are counted by themselves: how many there have been, and how many
    // of them, from the first, have got their number or are over.
    atomic_uint_fast64_t deferred;
    atomic_uint_fast64_t passed;
    // Looks how far the device has come: returns what `completed` could be. Called with memory's lock held, so it must neither
    // wait nor block: where the queue's lock is taken, `completed` will do.
    uint64_t (*look)(struct mez_timeline *timeline);
    // Waits until everything submitted has ended, as at the queue's destruction, for the call at `where`. Called without locks.
    // NULL: the queue is the library's own, and whoever made it waits for it, and may destroy it at any time.
    void (*drain)(struct mez_timeline *timeline, const mez_location *where);
    // Has the queue call mez_timeline_wake with its next task, deferred or not, if it is idle now; false: it is not, or is busy with
    // something else. Called with memory's lock held, so it must not wait. NULL: it never does.
    bool (*doze)(struct mez_timeline *timeline);

    // Memory's own.
    uint64_t awaited; // task that the deferred frees wait for
    // First for these deferred tasks, and then for all that has a number by then; 0: none.
    uint64_t awaited_deferred;
    uint64_t seen;                       // `submitted` when it was last looked whether it may doze
    bool dozes;                          // nobody looks at it
    MEZ_LINK(struct mez_timeline) among; // those that are looked at, or those that doze
} mez_timeline;

// From here on, mez_free waits for the tasks of this timeline. Set the functions before.
void mez_timeline_add(mez_platform *platform, mez_timeline *timeline);
// The queue dozes, and gets a task now, which has not been counted yet or was just now. The queue's lock may be held.
void mez_timeline_wake(mez_platform *platform, mez_timeline *timeline);
// Its tasks are over.
void mez_timeline_remove(mez_platform *platform, mez_timeline *timeline);

static inline uint64_t mez_timeline_submitted(const mez_timeline *timeline)
{
    return atomic_load_explicit(&timeline->submitted, memory_order_acquire);
}

static inline uint64_t mez_timeline_completed(const mez_timeline *timeline)
{
    return atomic_load_explicit(&timeline->completed, memory_order_acquire);
}

static inline uint64_t mez_timeline_deferred(const mez_timeline *timeline)
{
    return atomic_load_explicit(&timeline->deferred, memory_order_acquire);
}

static inline uint64_t mez_timeline_passed(const mez_timeline *timeline)
{
    return atomic_load_explicit(&timeline->passed, memory_order_acquire);
}

// Are there deferred tasks?
static inline bool mez_timeline_defers(const mez_timeline *timeline)
{
    return mez_timeline_passed(timeline) < mez_timeline_deferred(timeline);
}

// False: at some moment of this call no task was deferred and all with a number had ended. What has ended or passed is
// read first, so that what comes meanwhile can only make it true.
static inline bool mez_timeline_may_be_busy(const mez_timeline *timeline)
{
    const uint64_t over = mez_timeline_completed(timeline) + mez_timeline_passed(timeline);
    return over < mez_timeline_submitted(timeline) + mez_timeline_deferred(timeline);
}

#endif
