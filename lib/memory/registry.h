// SPDX-License-Identifier: MIT
//
// Finds the span that an address lies in.
//
// Thread-safety: the caller holds the memory's lock.

#ifndef MEZ_MEMORY_REGISTRY_H
#define MEZ_MEMORY_REGISTRY_H

#include "memory/span.h"

// Ordered by address. Insertion moves what lies behind, which for the thousands of spans of a large program costs less than
// the driver's own call; finding, which happens with every free, is a binary search through packed memory.
typedef struct mez_registry {
    struct mez_registry_entry {
        uintptr_t base;
        mez_span *span;
    } * entries;
    size_t count;
    size_t capacity;
} mez_registry;

// False: no host memory; nothing has changed.
bool mez_registry_insert(mez_registry *registry, mez_span *span);
void mez_registry_remove(mez_registry *registry, const mez_span *span);

// How many entries begin at or below the address.
static inline size_t mez_registry_position(const mez_registry *registry, uintptr_t address)
{
    size_t low = 0, high = registry->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (registry->entries[middle].base <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// NULL: in none. Part of every free, hence inline.
static inline mez_span *mez_registry_find(const mez_registry *registry, const void *address)
{
    const size_t below = mez_registry_position(registry, (uintptr_t)address);
    if (below == 0)
        return NULL;
    mez_span *span = registry->entries[below - 1].span;
    return (uintptr_t)address - (uintptr_t)span->base < span->size ? span : NULL;
}

void mez_registry_finish(mez_registry *registry);

#endif
