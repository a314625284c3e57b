// SPDX-License-Identifier: MIT
//
// Pools of small allocations.
//
// Drivers round every allocation up to a page, 4 KiB for host memory and 64 KiB for a device's, and each costs microseconds. A
// pool cuts spans into slots of a power of two. There is one per kind, device and slot size. In the steady state an
// allocation and its free call neither the driver nor, without a debug name, malloc: some 130 instructions the two.
//
// Shared memory is pooled only where host and device may touch one span at the same time (mez_device.shares_finely):
// elsewhere the driver moves whole spans, and one user's allocation would be moved while a kernel uses its neighbour.
//
// Thread-safety: the caller holds the memory's lock.

#ifndef MEZ_MEMORY_POOL_H
#define MEZ_MEMORY_POOL_H

#include "memory/span.h"

#define MEZ_SMALLEST_SLOT_SHIFT 6 // 64 bytes: a cache line, and the alignment that everybody gets
#define MEZ_LARGEST_SLOT_SHIFT 15 // 32 KiB
#define MEZ_SLOT_SIZES (MEZ_LARGEST_SLOT_SHIFT - MEZ_SMALLEST_SLOT_SHIFT + 1)
#define MEZ_SMALLEST_ALIGNMENT ((size_t)1 << MEZ_SMALLEST_SLOT_SHIFT)
#define MEZ_LARGEST_SLOT ((size_t)1 << MEZ_LARGEST_SLOT_SHIFT)

typedef struct mez_pool {
    mez_span *with_room; // spans that have a free slot
    // The span that was the last to lose its last used slot: kept for the next allocations, which may have used it since. NULL:
    // none.
    mez_span *empty;
} mez_pool;

// The pools of one device.
typedef struct mez_pool_set {
    mez_pool pools[MEZ_MEMORY_KINDS][MEZ_SLOT_SIZES];
} mez_pool_set;

// log2 of the slot for an allocation; its size and alignment are at most MEZ_LARGEST_SLOT.
static inline uint32_t mez_pool_slot_shift(size_t size, size_t alignment)
{
    const size_t needed = (size > alignment ? size : alignment) - 1;
    return 64 - (uint32_t)__builtin_clzll(needed | (MEZ_SMALLEST_ALIGNMENT - 1));
}

// What the driver must be asked for when the pool has no free slot.
mez_span_request mez_pool_request(mez_memory_kind kind, mez_device *device, uint32_t slot_shift);

// The pool owns the span from now on.
void mez_pool_add(mez_pool *pool, mez_span *span);

// NULL: no slot is free.
mez_slot *mez_pool_take(mez_pool *pool);

// The same, also NULL where it is the last of its span. Part of most allocations, hence inline.
static inline mez_slot *mez_pool_take_easily(mez_pool *pool)
{
    mez_span *span = pool->with_room;
    if (__builtin_expect(!span || !span->free->next, 0))
        return NULL;
    mez_slot *slot = span->free;
    span->free = slot->next;
    span->used++;
    return slot;
}

// Takes a slot back. Returns a span that is not needed any more, which is the caller's to destroy; else NULL.
mez_span *mez_pool_give(mez_slot *slot);

// Is another span empty already? Then one that loses its last used slot is not kept.
static inline bool mez_pool_has_spare(const mez_pool *pool, const mez_span *span)
{
    return pool->empty && pool->empty != span && pool->empty->used == 0;
}

// The same where it is only to be put on its span's list; false: it is not, and nothing has changed. Part of most frees, hence
// inline.
static inline bool mez_pool_give_easily(mez_span *span, mez_slot *slot)
{
    const bool empties = span->used == 1 && span->pool->empty != span;
    if (__builtin_expect(!span->free || empties, 0))
        return false;
    mez_list_push(&span->free, slot, next);
    span->used--;
    return true;
}

// Takes the empty span out, if there is one: it is the caller's to destroy.
mez_span *mez_pool_trim(mez_pool *pool);

#endif
