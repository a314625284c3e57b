// SPDX-License-Identifier: MIT

#include "event/slab.h"

#include "base/alloc.h"
#include "base/lock.h"
#include "event/cache.h"

struct slab {
    struct slab *next;
    ze_event_pool_handle_t pool;
    mez_event events[MEZ_EVENTS_PER_SLAB];
};

struct event_store {
    mez_lock lock; // guards the two lists
    struct slab *slabs;
    mez_event *free;
};

struct mez_event_slabs {
    struct event_store plain;
    struct event_store timed;
    mez_lock caches_lock; // guards the list
    struct mez_event_cache *caches;
};

struct mez_event_slabs *mez_event_slabs_create(void)
{
    return mez_new(struct mez_event_slabs);
}

static struct event_store *store_of(struct mez_event_slabs *slabs, bool timed)
{
    return timed ? &slabs->timed : &slabs->plain;
}

static mez_error create_pool(mez_platform *platform, bool timed, ze_event_pool_handle_t *pool)
{
    const ze_event_pool_desc_t description = {
        .stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
        .flags =
            ZE_EVENT_POOL_FLAG_HOST_VISIBLE | (timed ? ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP : 0),
        .count = MEZ_EVENTS_PER_SLAB,
    };
    return ZE(zeEventPoolCreate, platform->ze, &description, 0, NULL, pool);
}

static mez_error create_events(struct slab *slab, mez_platform *platform, bool timed)
{
    for (uint32_t i = 0; i < MEZ_EVENTS_PER_SLAB; i++) {
        const ze_event_desc_t description = {
            .stype = ZE_STRUCTURE_TYPE_EVENT_DESC,
            .index = i,
            .signal = ZE_EVENT_SCOPE_FLAG_HOST,
            .wait = ZE_EVENT_SCOPE_FLAG_HOST,
        };
        MEZ_TRY(ZE(zeEventCreate, slab->pool, &description, &slab->events[i].ze));
        slab->events[i].platform = platform;
        slab->events[i].timed = timed;
    }
    return mez_ok();
}

static void slab_destroy(struct slab *slab)
{
    for (uint32_t i = 0; i < MEZ_EVENTS_PER_SLAB; i++)
        if (slab->events[i].ze)
            ZE_LOGGED(zeEventDestroy, slab->events[i].ze);
    if (slab->pool)
        ZE_LOGGED(zeEventPoolDestroy, slab->pool);
    mez_free_memory(slab);
}

static mez_error slab_create(mez_platform *platform, bool timed, struct slab **made)
{
    struct slab *slab = mez_new(struct slab);
    if (!slab)
        return mez_error_no_memory("events");
    mez_error error = create_pool(platform, timed, &slab->pool);
    if (!mez_failed(error))
        error = create_events(slab, platform, timed);
    if (mez_failed(error))
        slab_destroy(slab);
    else
        *made = slab;
    return error;
}

// The caller holds the lock.
static void add_slab(struct event_store *store, struct slab *slab)
{
    slab->next = store->slabs;
    store->slabs = slab;
    for (uint32_t i = MEZ_EVENTS_PER_SLAB; i-- > 0;) {
        slab->events[i].next = store->free;
        store->free = &slab->events[i];
    }
}

static mez_event *pop(struct event_store *store, unsigned most)
{
    mez_lock_take(&store->lock);
    mez_event *first = store->free, **end = &store->free;
    for (unsigned i = 0; i < most && *end; i++)
        end = &(*end)->next;
    store->free = *end;
    *end = NULL;
    mez_lock_release(&store->lock);
    return first;
}

mez_error mez_event_slabs_take(mez_platform *platform, bool timed, unsigned most, mez_event **taken)
{
    struct event_store *store = store_of(platform->event_slabs, timed);
    while (!(*taken = pop(store, most))) {
        struct slab *slab = NULL;
        MEZ_TRY(slab_create(platform, timed, &slab));
        mez_platform_count(platform, MEZ_OBJECT_EVENT_SLAB);
        mez_lock_take(&store->lock);
        add_slab(store, slab);
        mez_lock_release(&store->lock);
    }
    return mez_ok();
}

bool mez_event_slabs_rewind(mez_event *event)
{
    const mez_error error = ZE(zeEventHostReset, event->ze);
    mez_log_error(MEZ_TOPIC_EVENT, error);
    return !mez_failed(error);
}

void mez_event_slabs_give(mez_event *event)
{
    struct event_store *store = store_of(event->platform->event_slabs, event->timed);
    mez_lock_take(&store->lock);
    event->next = store->free;
    store->free = event;
    mez_lock_release(&store->lock);
}

void mez_event_slabs_add_cache(mez_event_cache *cache)
{
    struct mez_event_slabs *slabs = cache->platform->event_slabs;
    mez_lock_take(&slabs->caches_lock);
    cache->next = slabs->caches;
    cache->link = &slabs->caches;
    if (cache->next)
        cache->next->link = &cache->next;
    slabs->caches = cache;
    mez_lock_release(&slabs->caches_lock);
}

void mez_event_slabs_remove_cache(mez_event_cache *cache)
{
    struct mez_event_slabs *slabs = cache->platform->event_slabs;
    mez_lock_take(&slabs->caches_lock);
    *cache->link = cache->next;
    if (cache->next)
        cache->next->link = cache->link;
    mez_lock_release(&slabs->caches_lock);
}

// Each number is right for itself; while others lend and give back their difference is near enough.
static uint64_t alive_of(const mez_event_cache *cache)
{
    const uint64_t back = atomic_load_explicit(&cache->taken_back, memory_order_acquire);
    const uint64_t lent = atomic_load_explicit(&cache->lent, memory_order_acquire);
    return lent > back ? lent - back : 0;
}

uint32_t mez_events_alive(mez_platform *platform)
{
    struct mez_event_slabs *slabs = platform->event_slabs;
    uint64_t alive = atomic_load_explicit(&platform->live[MEZ_OBJECT_EVENT], memory_order_relaxed);
    mez_lock_take(&slabs->caches_lock);
    for (const mez_event_cache *cache = slabs->caches; cache; cache = cache->next)
        alive += alive_of(cache);
    mez_lock_release(&slabs->caches_lock);
    return (uint32_t)alive;
}

static void destroy_slabs(struct event_store *store)
{
    while (store->slabs) {
        struct slab *next = store->slabs->next;
        slab_destroy(store->slabs);
        store->slabs = next;
    }
}

void mez_event_slabs_destroy(mez_platform *platform)
{
    struct mez_event_slabs *slabs = platform->event_slabs;
    if (!slabs)
        return;
    destroy_slabs(&slabs->plain);
    destroy_slabs(&slabs->timed);
    mez_free_memory(slabs);
    platform->event_slabs = NULL;
}
