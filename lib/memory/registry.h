// SPDX-License-Identifier: MIT
//
// Finds the span that an address lies in.
//
// Thread-safety: the caller holds the memory's lock.

#ifndef MEZ_MEMORY_REGISTRY_H
#define MEZ_MEMORY_REGISTRY_H

#include "base/vector.h"
#include "memory/span.h"

// 64 KiB: the granule of device memory, and the smallest span of a pool.
#define MEZ_REGISTRY_PAGE_SHIFT 16
#define MEZ_REGISTRY_RECENT 64

// Ordered by address. Insertion moves what lies behind, which for the thousands of spans of a large program costs less than
// the driver's own call. Finding, which happens with every free, looks first at what was found last in a page whose number
// ends like the address's, and is a binary search through packed memory otherwise.
typedef struct mez_known_span {
    uintptr_t base;
    mez_span *span;
} mez_known_span;

typedef struct mez_registry {
    MEZ_VECTOR(mez_known_span) spans;
    mez_span *recent[MEZ_REGISTRY_RECENT]; // NULL: nothing yet
} mez_registry;

// False: no host memory; nothing has changed.
bool mez_registry_insert(mez_registry *registry, mez_span *span);
void mez_registry_remove(mez_registry *registry, const mez_span *span);

// NULL: in none.
mez_span *mez_registry_find(mez_registry *registry, const void *address);

static inline bool mez_span_holds(const mez_span *span, const void *address)
{
    return (uintptr_t)address - (uintptr_t)span->base < span->size;
}

static inline size_t mez_registry_page(const void *address)
{
    return ((uintptr_t)address >> MEZ_REGISTRY_PAGE_SHIFT) % MEZ_REGISTRY_RECENT;
}

// A pool's span that was found lately; NULL: the address is in none. Part of every free, hence inline.
static inline mez_span *mez_registry_recent(const mez_registry *registry, const void *address)
{
    mez_span *span = registry->recent[mez_registry_page(address)];
    return span && mez_span_holds(span, address) ? span : NULL;
}

void mez_registry_finish(mez_registry *registry);

#endif
