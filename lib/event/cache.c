// SPDX-License-Identifier: MIT

#include "event/cache.h"

#include "event/slab.h"
#include "trace/graph.h"

#define FILL 16

// In place of a list: nothing comes back to this cache any more.
static mez_event closed;

void mez_event_cache_init(mez_event_cache *cache)
{
    cache->ready = NULL;
    atomic_init(&cache->lent, 0);
    atomic_init(&cache->returned, NULL);
    atomic_init(&cache->taken_back, 0);
    mez_event_slabs_add_cache(cache);
}

void mez_event_cache_finish(mez_event_cache *cache)
{
    mez_event_slabs_remove_cache(cache);
}

// Adds a list of events. False: the cache is closed.
static bool push(mez_event_cache *cache, mez_event *first, mez_event *last)
{
    mez_event *head = atomic_load_explicit(&cache->returned, memory_order_relaxed);
    do {
        if (head == &closed)
            return false;
        last->next = head;
    } while (!atomic_compare_exchange_weak_explicit(
        &cache->returned, &head, first, memory_order_release, memory_order_relaxed));
    return true;
}

// As it is lent, except for its references: nobody has it yet.
static void make_ready(mez_event *event)
{
    event->task = 0;
    event->outcome = mez_ok();
    event->of_host = false;
    atomic_store_explicit(&event->deferred, false, memory_order_relaxed);
    atomic_store_explicit(&event->complete, false, memory_order_relaxed);
}

static void adopt(mez_event_cache *cache, mez_event *event)
{
    event->cache = cache;
    mez_event_set_source(event, cache->source, cache->owner, cache->device);
    event->node = NULL;
    make_ready(event);
}

mez_error mez_event_cache_fill(mez_event_cache *cache)
{
    mez_event *first;
    MEZ_TRY(mez_event_slabs_take(cache->platform, cache->sort, FILL, &first));
    unsigned count = 0;
    mez_event *last = first;
    for (mez_event *event = first; event; event = event->next, count++) {
        adopt(cache, event);
        last = event;
    }
    cache->source->ref(cache->owner, count);
    push(cache, first, last); // can't be closed: somebody submits
    return mez_ok();
}

bool mez_event_cache_collect(mez_event_cache *cache)
{
    if (!cache->ready && atomic_load_explicit(&cache->returned, memory_order_relaxed))
        cache->ready = atomic_exchange_explicit(&cache->returned, NULL, memory_order_acquire);
    return cache->ready != NULL;
}

// The cache may go with its owner.
static void leave(mez_event_cache *cache)
{
    cache->source->unref(cache->owner);
}

static void give_to_slab(mez_event *event)
{
    mez_event_cache *cache = event->cache;
    event->cache = NULL;
    mez_event_slabs_give(event);
    leave(cache);
}

void mez_event_cache_give(mez_event *event)
{
    mez_event_cache *cache = event->cache;
    mez_error_release(event->outcome);
    if (MEZ_TRACED(event->node))
        mez_trace_node_drop(&event->node);
    atomic_fetch_add_explicit(&cache->taken_back, 1, memory_order_relaxed);
    if (!mez_event_slabs_rewind(event)) {
        leave(cache);
        return;
    }
    make_ready(event);
    if (!push(cache, event, event)) // which may go as soon as the event is in its list
        give_to_slab(event);
}

static void give_all(mez_event *event)
{
    while (event) {
        mez_event *next = event->next;
        give_to_slab(event);
        event = next;
    }
}

void mez_event_cache_close(mez_event_cache *cache)
{
    give_all(atomic_exchange_explicit(&cache->returned, &closed, memory_order_acquire));
    give_all(cache->ready);
    cache->ready = NULL;
}
