// SPDX-License-Identifier: MIT

#include "lists/store.h"

#include "base/alloc.h"
#include "base/vector.h"

typedef struct stored {
    ze_command_list_handle_t list;
    const mez_device *device;
    uint32_t ordinal;
    ze_command_queue_flags_t flags;
    ze_command_queue_priority_t priority;
} stored;

struct mez_list_store {
    mez_lock lock; // guards all of it
    MEZ_VECTOR(stored) lists;
};

struct mez_list_store *mez_list_store_create(void)
{
    return mez_new(struct mez_list_store);
}

void mez_list_store_destroy(mez_platform *platform)
{
    struct mez_list_store *store = platform->list_store;
    if (!store)
        return;
    for (uint32_t i = 0; i < store->lists.count; i++)
        ZE_LOGGED(zeCommandListDestroy, store->lists.items[i].list);
    mez_vector_finish(&store->lists);
    mez_free_memory(store);
    platform->list_store = NULL;
}

static bool fits(
    const stored *item, const mez_queue *queue, const ze_command_queue_desc_t *description)
{
    return item->device == queue->device && item->ordinal == description->ordinal &&
           item->flags == description->flags && item->priority == description->priority;
}

static bool take_stored(
    mez_queue *queue, const ze_command_queue_desc_t *description, ze_command_list_handle_t *list)
{
    struct mez_list_store *store = queue->platform->list_store;
    bool found = false;
    mez_lock_take(&store->lock);
    for (uint32_t i = 0; i < store->lists.count && !found; i++) {
        found = fits(&store->lists.items[i], queue, description);
        if (found) {
            *list = store->lists.items[i].list;
            store->lists.items[i] = store->lists.items[--store->lists.count];
        }
    }
    mez_lock_release(&store->lock);
    return found;
}

mez_error mez_list_store_take(
    mez_queue *queue, const ze_command_queue_desc_t *description, ze_command_list_handle_t *list)
{
    if (!take_stored(queue, description, list))
        MEZ_TRY(ZE(zeCommandListCreateImmediate, queue->platform->ze, queue->device->ze,
            description, list));
    mez_platform_count(queue->platform, MEZ_OBJECT_COMMAND_LIST);
    return mez_ok();
}

// False: no memory. The list is destroyed then, and the driver may write to it once more.
static bool store_list(struct mez_list_store *store, const stored *item)
{
    mez_lock_take(&store->lock);
    const bool has_room = mez_vector_push(&store->lists, *item);
    mez_lock_release(&store->lock);
    return has_room;
}

void mez_list_store_give(mez_queue *queue, const ze_command_queue_desc_t *description,
    ze_command_list_handle_t list, bool is_idle)
{
    const stored item = {
        .list = list,
        .device = queue->device,
        .ordinal = description->ordinal,
        .flags = description->flags,
        .priority = description->priority,
    };
    mez_platform *platform = queue->platform;
    mez_platform_uncount(platform, MEZ_OBJECT_COMMAND_LIST);
    const bool stays = platform->caps.events_keep_lists && is_idle;
    if (!stays || !store_list(platform->list_store, &item))
        ZE_LOGGED(zeCommandListDestroy, list);
}
