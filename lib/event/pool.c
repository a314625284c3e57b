// SPDX-License-Identifier: MIT
//
// Where events come from and go back to.

#include "event/pool.h"

#include "base/alloc.h"
#include "base/lock.h"
#include "device/platform.h"
#include "trace/graph.h"

// --- Slabs

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
    mez_lock caches_lock; // guards the list
    struct mez_event_cache *caches;
    size_t store_count;
    struct event_store stores[]; // MEZ_EVENT_SORTS of each device
};

struct mez_event_slabs *mez_event_slabs_create(uint32_t device_count)
{
    const size_t count = (size_t)device_count * MEZ_EVENT_SORTS;
    struct mez_event_slabs *slabs =
        mez_alloc_array(1, sizeof *slabs + count * sizeof slabs->stores[0]);
    if (slabs)
        slabs->store_count = count;
    return slabs;
}

// Counter-based events belong to a device. All others are of the context, and lie with those of its first device.
static struct event_store *store_of(
    const mez_platform *platform, unsigned sort, const mez_device *device)
{
    const size_t index = sort & MEZ_EVENT_COUNTED ? device->index : 0;
    return &platform->event_slabs->stores[index * MEZ_EVENT_SORTS + sort];
}

// Single events have none.
static bool needs_pool(const mez_platform *platform, unsigned sort)
{
    return !(sort & MEZ_EVENT_COUNTED) ||
           platform->caps.counter_events == MEZ_COUNTER_EVENTS_POOLED;
}

static ze_event_pool_flags_t pool_flags(unsigned sort)
{
    return (sort & MEZ_EVENT_DEVICE ? 0 : ZE_EVENT_POOL_FLAG_HOST_VISIBLE) |
           (sort & MEZ_EVENT_TIMED ? ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP : 0);
}

static mez_error create_pool(mez_platform *platform, unsigned sort, ze_event_pool_handle_t *pool)
{
    const ze_newer_event_pool_counter_based_exp_desc_t counted = {
        .stype = ZE_NEWER_STRUCTURE_TYPE_COUNTER_BASED_EVENT_POOL_EXP_DESC,
        .flags = ZE_NEWER_EVENT_COUNTER_BASED_FLAG_IMMEDIATE |
                 ZE_NEWER_EVENT_COUNTER_BASED_FLAG_NON_IMMEDIATE};
    const ze_event_pool_desc_t description = {
        .stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
        .pNext = sort & MEZ_EVENT_COUNTED ? &counted : NULL,
        .flags = pool_flags(sort),
        .count = MEZ_EVENTS_PER_SLAB,
    };
    return ZE(zeEventPoolCreate, platform->ze, &description, 0, NULL, pool);
}

// How far the memory that a task wrote must be visible when its event happens: to the host costs the device more.
static ze_event_scope_flags_t scope(unsigned sort)
{
    return sort & MEZ_EVENT_DEVICE ? ZE_EVENT_SCOPE_FLAG_DEVICE : ZE_EVENT_SCOPE_FLAG_HOST;
}

static mez_error create_pooled(
    const struct slab *slab, unsigned sort, uint32_t index, ze_event_handle_t *ze)
{
    const ze_event_desc_t description = {
        .stype = ZE_STRUCTURE_TYPE_EVENT_DESC,
        .index = index,
        .signal = scope(sort),
        .wait = scope(sort),
    };
    return ZE(zeEventCreate, slab->pool, &description, ze);
}

static mez_error create_single(
    mez_platform *platform, unsigned sort, const mez_device *device, ze_event_handle_t *ze)
{
    const uint32_t times =
        sort & MEZ_EVENT_TIMED ? ZE_NEWER_EVENT_COUNTER_BASED_FLAG_DEVICE_TIMESTAMP : 0;
    const uint32_t host =
        sort & MEZ_EVENT_DEVICE ? 0 : ZE_NEWER_EVENT_COUNTER_BASED_FLAG_HOST_VISIBLE;
    const ze_newer_event_counter_based_desc_t description = {
        .stype = ZE_NEWER_INTEL_STRUCTURE_TYPE_COUNTER_BASED_EVENT_DESC,
        .flags = ZE_NEWER_EVENT_COUNTER_BASED_FLAG_IMMEDIATE |
                 ZE_NEWER_EVENT_COUNTER_BASED_FLAG_NON_IMMEDIATE | host | times,
        .signal = scope(sort),
        .wait = scope(sort),
    };
    return ZE_NEWER(&platform->caps.newer, zexCounterBasedEventCreate2, platform->ze, device->ze,
        &description, ze);
}

static mez_error create_events(
    struct slab *slab, mez_platform *platform, unsigned sort, const mez_device *device)
{
    for (uint32_t i = 0; i < MEZ_EVENTS_PER_SLAB; i++) {
        ze_event_handle_t *ze = &slab->events[i].ze;
        MEZ_TRY(slab->pool ? create_pooled(slab, sort, i, ze)
                           : create_single(platform, sort, device, ze));
        slab->events[i].platform = platform;
        slab->events[i].sort = sort;
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

static mez_error slab_create(
    mez_platform *platform, unsigned sort, const mez_device *device, struct slab **made)
{
    struct slab *slab = mez_new(struct slab);
    if (!slab)
        return mez_error_no_memory("events");
    mez_error error = mez_ok();
    if (needs_pool(platform, sort))
        error = create_pool(platform, sort, &slab->pool);
    if (!mez_failed(error))
        error = create_events(slab, platform, sort, device);
    if (mez_failed(error))
        slab_destroy(slab);
    else
        *made = slab;
    return error;
}

// The caller holds the lock.
static void add_slab(struct event_store *store, struct slab *slab)
{
    mez_list_push(&store->slabs, slab, next);
    for (uint32_t i = MEZ_EVENTS_PER_SLAB; i-- > 0;)
        mez_list_push(&store->free, &slab->events[i], next);
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

mez_error mez_event_slabs_take(mez_platform *platform, unsigned sort, const mez_device *device,
    unsigned most, mez_event **taken)
{
    struct event_store *store = store_of(platform, sort, device);
    while (!(*taken = pop(store, most))) {
        struct slab *slab = NULL;
        MEZ_TRY(slab_create(platform, sort, device, &slab));
        mez_platform_count(platform, MEZ_OBJECT_EVENT_SLAB);
        mez_lock_take(&store->lock);
        add_slab(store, slab);
        mez_lock_release(&store->lock);
    }
    return mez_ok();
}

bool mez_event_slabs_reset(mez_event *event)
{
    const mez_error error = ZE(zeEventHostReset, event->ze);
    mez_log_error(MEZ_TOPIC_EVENT, error);
    return !mez_failed(error);
}

void mez_event_slabs_give(mez_event *event)
{
    struct event_store *store = store_of(event->platform, event->sort, event->device);
    mez_lock_take(&store->lock);
    mez_list_push(&store->free, event, next);
    mez_lock_release(&store->lock);
}

// --- Caches

#define FILL 16

// In place of a list: nothing comes back to this cache any more.
static mez_event closed;

void mez_event_cache_init(mez_event_cache *cache)
{
    cache->ready = NULL;
    atomic_init(&cache->lent, 0);
    atomic_init(&cache->returned, NULL);
    atomic_init(&cache->taken_back, 0);
    struct mez_event_slabs *slabs = cache->platform->event_slabs;
    mez_lock_take(&slabs->caches_lock);
    mez_linked_push(&slabs->caches, cache, link);
    mez_lock_release(&slabs->caches_lock);
}

void mez_event_cache_finish(mez_event_cache *cache)
{
    struct mez_event_slabs *slabs = cache->platform->event_slabs;
    mez_lock_take(&slabs->caches_lock);
    mez_linked_remove(cache, link);
    mez_lock_release(&slabs->caches_lock);
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
    event->handed_over = cache->handed_over;
    event->node = NULL;
    make_ready(event);
}

mez_error mez_event_cache_fill(mez_event_cache *cache)
{
    mez_event *first;
    MEZ_TRY(mez_event_slabs_take(cache->platform, cache->sort, cache->device, FILL, &first));
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

// Apart, as it is seldom needed and would have each return of an event save registers.
static __attribute__((noinline)) void give_to_slab(mez_event *event)
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

static void give_all(mez_event *list)
{
    mez_event *event;
    while (mez_list_pop(&list, event, next))
        give_to_slab(event);
}

void mez_event_cache_close(mez_event_cache *cache)
{
    give_all(atomic_exchange_explicit(&cache->returned, &closed, memory_order_acquire));
    give_all(cache->ready);
    cache->ready = NULL;
}

// --- What is left

#define MOST_NAMED 4

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
    for (const mez_event_cache *cache = slabs->caches; cache; cache = cache->link.next)
        alive += alive_of(cache);
    mez_lock_release(&slabs->caches_lock);
    return (uint32_t)alive;
}

static void name_event(const mez_event *event, uint32_t *named, mez_text *text)
{
    const mez_event_source *source = atomic_load_explicit(&event->source, memory_order_acquire);
    if (!source || !source->describe)
        return;
    mez_text_add(text, *named > 0 ? "; " : ": ");
    source->describe(event->owner, event, text);
    ++*named;
}

// With a reference of each, as whoever has it may let go of it, and of its owner, meanwhile.
static void name_first(struct slab *slab, uint32_t *named, mez_text *text)
{
    for (uint32_t i = 0; i < MEZ_EVENTS_PER_SLAB && *named < MOST_NAMED; i++) {
        mez_event *event = &slab->events[i];
        if (!mez_ref_get_living(&event->ref))
            continue;
        name_event(event, named, text);
        mez_event_unref(event);
    }
}

// Slabs stay until the context goes: only the first of them changes.
static struct slab *first_slab(struct event_store *store)
{
    mez_lock_take(&store->lock);
    struct slab *slab = store->slabs;
    mez_lock_release(&store->lock);
    return slab;
}

void mez_events_report(mez_platform *platform, const char *context_name, const mez_location *where)
{
    struct mez_event_slabs *slabs = platform->event_slabs;
    const uint32_t alive = mez_events_alive(platform);
    uint32_t named = 0;
    mez_text text = {0};
    if (alive == 0)
        return;
    for (size_t i = 0; i < slabs->store_count; i++)
        for (struct slab *slab = first_slab(&slabs->stores[i]); slab; slab = slab->next)
            name_first(slab, &named, &text);
    if (named > 0 && named < alive)
        mez_text_add(&text, "; and %u more", alive - named);
    mez_place_describe_end(where, &text);
    mez_log(CONTEXT, WARN, "context \"%s\": %u event%s still alive%-s", context_name, alive,
        alive == 1 ? " is" : "s are", text.length > 0 ? mez_text_get(&text) : "");
    mez_text_finish(&text);
}

// --- The end

static void destroy_slabs(struct event_store *store)
{
    struct slab *slab;
    while (mez_list_pop(&store->slabs, slab, next))
        slab_destroy(slab);
}

void mez_event_slabs_destroy(mez_platform *platform)
{
    struct mez_event_slabs *slabs = platform->event_slabs;
    if (!slabs)
        return;
    for (size_t i = 0; i < slabs->store_count; i++)
        destroy_slabs(&slabs->stores[i]);
    mez_free_memory(slabs);
    platform->event_slabs = NULL;
}
