// SPDX-License-Identifier: MIT

#include "memory/pool.h"

// The granule of device memory; a smaller span would waste the rest of it.
#define SMALLEST_SPAN ((size_t)64 * 1024)
// Slots of the larger sizes in a span: enough that the driver is seldom asked.
#define FEWEST_SLOTS 32

mez_span_request mez_pool_request(mez_memory_kind kind, mez_device *device, uint32_t slot_shift)
{
    const size_t slots = (size_t)FEWEST_SLOTS << slot_shift;
    const size_t size = slots > SMALLEST_SPAN ? slots : SMALLEST_SPAN;
    return (mez_span_request){
        .kind = kind,
        .device = device,
        .size = size,
        .alignment = (size_t)1 << slot_shift, // so every slot is aligned to its size
        .slot_count = (uint32_t)(size >> slot_shift),
        .slot_shift = slot_shift,
    };
}

void mez_pool_add(mez_pool *pool, mez_span *span)
{
    span->pool = pool;
    mez_linked_push(&pool->with_room, span, with_room);
    if (!mez_pool_has_spare(pool, span))
        pool->empty = span;
}

mez_slot *mez_pool_take(mez_pool *pool)
{
    mez_span *span = pool->with_room;
    if (!span)
        return NULL;
    mez_slot *slot = span->free;
    span->free = slot->next;
    span->used++;
    if (!span->free)
        mez_linked_remove(span, with_room);
    return slot;
}

mez_span *mez_pool_give(mez_slot *slot)
{
    mez_span *span = slot->span;
    mez_pool *pool = span->pool;
    if (!span->free)
        mez_linked_push(&pool->with_room, span, with_room);
    mez_list_push(&span->free, slot, next);
    if (--span->used > 0)
        return NULL;
    if (!mez_pool_has_spare(pool, span)) {
        pool->empty = span;
        return NULL;
    }
    mez_linked_remove(span, with_room);
    return span;
}

mez_span *mez_pool_trim(mez_pool *pool)
{
    mez_span *empty = pool->empty;
    if (!empty || empty->used > 0)
        return NULL;
    pool->empty = NULL;
    mez_linked_remove(empty, with_room);
    return empty;
}
