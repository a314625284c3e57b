// SPDX-License-Identifier: MIT

#include "event/slab.h"

#include "base/lock.h"

#include "base/alloc.h"

struct slab {
    struct slab *next;
    ze_event_pool_handle_t pool;
    mez_event events[MEZ_EVENTS_PER_SLAB];
};

struct mez_event_slabs {
    mez_lock lock; // guards the two lists
    struct slab *slabs;
    mez_event *free;
};

struct mez_event_slabs *mez_event_slabs_create(void)
{
    return mez_new(struct mez_event_slabs);
}

static mez_error create_pool(mez_platform *platform, ze_event_pool_handle_t *pool)
{
    const ze_event_pool_desc_t description = {
        .stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
        .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
        .count = MEZ_EVENTS_PER_SLAB,
    };
    return ZE(zeEventPoolCreate, platform->ze, &description, 0, NULL, pool);
}

static mez_error create_events(struct slab *slab, mez_platform *platform)
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

static mez_error slab_create(mez_platform *platform, struct slab **made)
{
    struct slab *slab = mez_new(struct slab);
    if (!slab)
        return mez_error_no_memory("events");
    mez_error error = create_pool(platform, &slab->pool);
    if (!mez_failed(error))
        error = create_events(slab, platform);
    if (mez_failed(error))
        slab_destroy(slab);
    else
        *made = slab;
    return error;
}

// The caller holds the lock.
static void add_slab(struct mez_event_slabs *slabs, struct slab *slab)
{
    slab->next = slabs->slabs;
    slabs->slabs = slab;
    for (uint32_t i = MEZ_EVENTS_PER_SLAB; i-- > 0;) {
        slab->events[i].next = slabs->free;
        slabs->free = &slab->events[i];
    }
}

static mez_event *pop(struct mez_event_slabs *slabs)
{
    mez_lock_take(&slabs->lock);
    mez_event *event = slabs->free;
    if (event)
        slabs->free = event->next;
    mez_lock_release(&slabs->lock);
    return event;
}

mez_error mez_event_slabs_take(mez_platform *platform, mez_event **taken)
{
    struct mez_event_slabs *slabs = platform->event_slabs;
    while (!(*taken = pop(slabs))) {
        struct slab *slab = NULL;
        MEZ_TRY(slab_create(platform, &slab));
        mez_platform_count(platform, MEZ_OBJECT_EVENT_SLAB);
        mez_lock_take(&slabs->lock);
        add_slab(slabs, slab);
        mez_lock_release(&slabs->lock);
    }
    return mez_ok();
}

void mez_event_slabs_give(mez_event *event)
{
    struct mez_event_slabs *slabs = event->platform->event_slabs;
    const mez_error error = ZE(zeEventHostReset, event->ze);
    if (mez_failed(error)) { // still signalled, so it stays in its slab and is never lent again
        mez_log_error(MEZ_TOPIC_EVENT, error);
        return;
    }
    mez_lock_take(&slabs->lock);
    event->next = slabs->free;
    slabs->free = event;
    mez_lock_release(&slabs->lock);
}

void mez_event_slabs_destroy(mez_platform *platform)
{
    struct mez_event_slabs *slabs = platform->event_slabs;
    if (!slabs)
        return;
    while (slabs->slabs) {
        struct slab *next = slabs->slabs->next;
        slab_destroy(slabs->slabs);
        slabs->slabs = next;
    }
    mez_free_memory(slabs);
    platform->event_slabs = NULL;
}
