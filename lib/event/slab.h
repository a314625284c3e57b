// SPDX-License-Identifier: MIT
//
// Slabs of events. Every Level Zero pool takes 64 KiB of memory on Intel's driver whatever its size, so 256 events share one
// (docs/internals/drivers.md#events). A recycled event has happened and is reset by the host before it is lent again; one in
// flight is never reset. Counter-based events need no reset, and single ones no pool: 256 are made at once all the same.
//
// Thread-safety: safe, except create and destroy.

#ifndef MEZ_EVENT_SLAB_H
#define MEZ_EVENT_SLAB_H

#include "event/event.h"

struct mez_event_cache;

#define MEZ_EVENTS_PER_SLAB 256

// No pool is made before the first event. NULL: no memory.
struct mez_event_slabs *mez_event_slabs_create(void);

// Frees the platform's slabs; its events are gone.
void mez_event_slabs_destroy(mez_platform *platform);

// Lends a list of events that are not signalled: one to `most`. Each sort has slabs of its own: looking at timed events is
// slow, and those for the device alone may lie in its memory (docs/internals/drivers.md#events).
mez_error mez_event_slabs_take(
    mez_platform *platform, unsigned sort, unsigned most, mez_event **events);

// Part of the next.
bool mez_event_slabs_reset(mez_event *event);

// Makes an event that nobody uses any more one that has not happened. False: it can't be lent again, and stays in its slab.
static inline bool mez_event_slabs_rewind(mez_event *event)
{
    return event->sort & MEZ_EVENT_COUNTED || mez_event_slabs_reset(event);
}

// Takes back an event that has not happened.
void mez_event_slabs_give(mez_event *event);

// The caches of the context's queues, for mez_events_alive.
void mez_event_slabs_add_cache(struct mez_event_cache *cache);
void mez_event_slabs_remove_cache(struct mez_event_cache *cache);

#endif
