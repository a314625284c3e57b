// SPDX-License-Identifier: MIT
//
// A context's memory: spans from the driver, pools, and what was freed while queues were busy.
//
//   span.c       one allocation of the driver's        alloc.c      mez_alloc
//   registry.c   from an address to its allocation     free.c       mez_free
//   pool.c       small allocations                     timeline.c   frees that wait for queues
//   refusal.c    the story of a failed allocation      ipc.c        sharing with other processes
//   memory.c     life of it all, statistics, leaks     ipc_handle.c what a handle consists of
//                                                      ipc_socket.c passing it over a socket

#ifndef MEZ_MEMORY_MEMORY_H
#define MEZ_MEMORY_MEMORY_H

#include "base/lock.h"
#include "memory/pool.h"
#include "memory/registry.h"
#include "memory/timeline.h"

struct mez_memory {
    // Guards all below. Taken by nobody who holds a queue's lock, and not held while the driver allocates or frees.
    mez_lock lock;
    mez_registry registry;
    mez_pool_set *pools; // one per device of the platform
    mez_memory_usage usage[MEZ_MEMORY_KINDS];

    mez_platform *platform; // whose memory it is

    // Held while the driver makes or opens a handle, which is asked for once: guards `shared` of spans.
    pthread_mutex_t ipc_lock;

    mez_timeline *timelines;
    // Frees that wait for the tasks which were in flight when `waiting` was last filled; those that came later wait for the
    // next turn. Two lists are enough for any number of queues, and deferring needs no memory.
    mez_slot *waiting;
    mez_slot *arriving;
};

// Fills platform->memory. The platform's devices are known. Error: MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_memory_create(mez_platform *platform);
// Gives everything back to the driver, also what the user did not free. No queue is left. Nothing happens without a create.
void mez_memory_destroy(mez_platform *platform);

// Waits for the queues that are left.
void mez_memory_drain(mez_platform *platform, const mez_location *where);

// Warns of allocations that the user did not free.
void mez_memory_report(mez_platform *platform, const char *context_name, const mez_location *where);

void mez_memory_get_usage(mez_platform *platform, mez_memory_usage usage[MEZ_MEMORY_KINDS]);

static inline mez_pool *mez_memory_pool(
    struct mez_memory *memory, mez_memory_kind kind, uint32_t device, uint32_t slot_shift)
{
    return &memory->pools[device].pools[kind][slot_shift - MEZ_SMALLEST_SLOT_SHIFT];
}

// Asks the driver. The caller holds the lock.
bool mez_timeline_reached(mez_timeline *timeline, uint64_t task);

// Does any queue still run, or defer, what was submitted? The caller holds the lock. Deferred tasks are looked at first: one that gets
// its number meanwhile is seen by that.
static inline bool mez_memory_is_busy(struct mez_memory *memory)
{
    for (mez_timeline *timeline = memory->timelines; timeline; timeline = timeline->next) {
        if (mez_timeline_defers(timeline))
            return true;
        const uint64_t newest = mez_timeline_submitted(timeline);
        if (mez_timeline_completed(timeline) < newest && !mez_timeline_reached(timeline, newest))
            return true;
    }
    return false;
}

// The same without asking the driver: false only if no queue does.
static inline bool mez_memory_may_be_busy(const struct mez_memory *memory)
{
    for (const mez_timeline *timeline = memory->timelines; timeline; timeline = timeline->next)
        if (mez_timeline_may_be_busy(timeline))
            return true;
    return false;
}

// Puts a slot off until the tasks that are in flight now have ended. The caller holds the lock.
void mez_memory_defer(struct mez_memory *memory, mez_slot *slot);

// Makes a slot available again, and adds its span to `unused` if nothing needs it any more. The caller holds the lock, and
// destroys the list when it has given it up.
void mez_memory_release(struct mez_memory *memory, mez_slot *slot, mez_span **unused);

// Releases the deferred slots whose time has come. The caller holds the lock.
void mez_memory_collect(struct mez_memory *memory, mez_span **unused);

// The same for those who do not hold the lock: call it where queues notice the end of tasks.
__attribute__((cold)) void mez_memory_sweep_now(mez_platform *platform);
static inline void mez_memory_sweep(mez_platform *platform)
{
    if (atomic_load_explicit(&platform->deferred_frees, memory_order_relaxed) > 0)
        mez_memory_sweep_now(platform);
}

// Gives back to the driver whatever can be spared. False: there was nothing.
bool mez_memory_reclaim(mez_platform *platform);

// What is known of a pointer: mez_memory_get_info for the library itself. Errors: what the driver says.
mez_error mez_memory_find_info(mez_platform *platform, const void *pointer, mez_memory_info *info);

// The slot that an address lies in; NULL: none. The caller holds the lock.
static inline mez_slot *mez_memory_find(struct mez_memory *memory, const void *address)
{
    mez_span *span = mez_registry_find(&memory->registry, address);
    if (!span)
        return NULL;
    return &span->slots[((uintptr_t)address - (uintptr_t)span->base) >> span->slot_shift];
}

// Takes a dedicated span into the books, with one allocation of `size` bytes. On failure the span is gone.
mez_error mez_memory_adopt(
    mez_platform *platform, mez_span *span, const mez_location *where, size_t size);

// What one allocation may have at most.
uint64_t mez_memory_limit(
    const mez_platform *platform, const mez_memory_params *params, const mez_device *device);

// Makes the error of an allocation that failed: `cause` is what the driver said, success where the size alone is too much.
mez_error mez_memory_refusal(mez_platform *platform, const mez_memory_params *params,
    const mez_device *device, size_t size, mez_error cause);

// "65536 bytes", with the unit that people use behind it where there are many.
void mez_text_add_bytes(mez_text *text, uint64_t bytes);

#endif
