// SPDX-License-Identifier: MIT
//
// Where events come from: the slabs of a context, and the caches in which each queue has some of them at hand.

#ifndef MEZ_EVENT_POOL_H
#define MEZ_EVENT_POOL_H

#include "base/list.h"
#include "event/event.h"

// --- Slabs
//
// Every Level Zero pool takes 64 KiB of memory on Intel's driver whatever its size, so 256 events share one
// (docs/internals/drivers.md#events). A recycled event has happened and is reset by the host before it is lent again; one in
// flight is never reset. Counter-based events need no reset, and single ones no pool: 256 are made at once all the same.
//
// Thread-safety: safe, except create and destroy.

#define MEZ_EVENTS_PER_SLAB 256

// No pool is made before the first event. NULL: no memory.
struct mez_event_slabs *mez_event_slabs_create(uint32_t device_count);

// Frees the platform's slabs; its events are gone.
void mez_event_slabs_destroy(mez_platform *platform);

// Lends a list of events that are not signalled: one to `most`. Each sort has slabs of its own: looking at timed events is
// slow, and those for the device alone may lie in its memory (docs/internals/drivers.md#events). `device`: whose lists will signal
// them; NULL where they are not counter-based.
mez_error mez_event_slabs_take(mez_platform *platform, unsigned sort, const mez_device *device,
    unsigned most, mez_event **events);

// Part of the next.
bool mez_event_slabs_reset(mez_event *event);

// Makes an event that nobody uses any more one that has not happened. False: it can't be lent again, and stays in its slab.
static inline bool mez_event_slabs_rewind(mez_event *event)
{
    return event->sort & MEZ_EVENT_COUNTED || mez_event_slabs_reset(event);
}

// Takes back an event that has not happened.
void mez_event_slabs_give(mez_event *event);

// --- Caches
//
// The events of one queue, so that lending one to a task costs a few instructions: a cache takes events from the slabs many at
// a time, and what is the same for all tasks of the queue is written into them once. They come back to the cache, whoever lets
// go of them last, and are ready for the next task by then.
//
// Each event in or from a cache holds a reference of the queue; references are taken many at a time, too. When the queue is
// destroyed the cache is closed: what it has goes back to the slabs, as does later each event that was still lent.

typedef struct mez_event_cache {
    mez_platform *platform;
    const mez_event_source *source; // of its events, as are the next two
    void *owner;
    const mez_device *device;
    unsigned sort;
    bool handed_over; // as in mez_event

    mez_event *ready;          // guarded by the queue's lock
    atomic_uint_fast64_t lent; // how many ever were; written with the queue's lock held
    _Atomic(mez_event *)
        returned; // anybody adds to this list, and whoever has the queue's lock takes it as a whole
    atomic_uint_fast64_t taken_back;

    MEZ_LINK(struct mez_event_cache) link; // in the context's list
} mez_event_cache;

// Makes an empty cache of a queue: platform, source, owner and device are set; sort and handed_over have to be before it is filled.
void mez_event_cache_init(mez_event_cache *cache);

// Gives back what is in it. Nobody submits any more; events that are lent live on.
void mez_event_cache_close(mez_event_cache *cache);

// No event is left.
void mez_event_cache_finish(mez_event_cache *cache);

// Puts some events from the slabs into the cache. The caller does not hold the queue's lock: this may create a pool.
// Errors: as mez_event_create.
mez_error mez_event_cache_fill(mez_event_cache *cache);

// Takes an event back that nobody refers to any more.
void mez_event_cache_give(mez_event *event);

// Makes what came back since the last time ready, where nothing else is. False: nothing did, and the cache must be filled. The
// caller holds the queue's lock.
bool mez_event_cache_collect(mez_event_cache *cache);

// How many are lent.
static inline uint64_t mez_event_cache_lent(const mez_event_cache *cache)
{
    return atomic_load_explicit(&cache->lent, memory_order_relaxed) -
           atomic_load_explicit(&cache->taken_back, memory_order_relaxed);
}

// Lends an event that has not happened, with two references, the user's and the task's. One is ready. The caller holds the
// queue's lock.
static inline mez_event *mez_event_cache_take_ready(mez_event_cache *cache)
{
    mez_event *event = cache->ready;
    cache->ready = event->next;
    const uint64_t lent = atomic_load_explicit(&cache->lent, memory_order_relaxed);
    atomic_store_explicit(&cache->lent, lent + 1, memory_order_relaxed);
    atomic_store_explicit(&event->ref, 2, memory_order_release);
    return event;
}

#endif
