// SPDX-License-Identifier: MIT

#include "memory/registry.h"

#include <string.h>

#include "base/alloc.h"

// How many entries begin at or below the address.
static size_t position(const mez_registry *registry, uintptr_t address)
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

mez_span *mez_registry_find(mez_registry *registry, const void *address)
{
    const size_t below = position(registry, (uintptr_t)address);
    if (below == 0)
        return NULL;
    mez_span *span = registry->entries[below - 1].span;
    if (!mez_span_holds(span, address))
        return NULL;
    if (span->pool)
        registry->recent[mez_registry_page(address)] = span;
    return span;
}

bool mez_registry_insert(mez_registry *registry, mez_span *span)
{
    if (!mez_grow(&registry->entries, registry->count, &registry->capacity))
        return false;
    const size_t at = position(registry, (uintptr_t)span->base);
    struct mez_registry_entry *entry = &registry->entries[at];
    memmove(entry + 1, entry, (registry->count - at) * sizeof *entry);
    *entry = (struct mez_registry_entry){.base = (uintptr_t)span->base, .span = span};
    registry->count++;
    return true;
}

static void forget(mez_registry *registry, const mez_span *span)
{
    for (size_t i = 0; i < MEZ_REGISTRY_RECENT; i++)
        if (registry->recent[i] == span)
            registry->recent[i] = NULL;
}

void mez_registry_remove(mez_registry *registry, const mez_span *span)
{
    const size_t at = position(registry, (uintptr_t)span->base) - 1;
    struct mez_registry_entry *entry = &registry->entries[at];
    registry->count--;
    forget(registry, span);
    memmove(entry, entry + 1, (registry->count - at) * sizeof *entry);
}

void mez_registry_finish(mez_registry *registry)
{
    mez_free_memory(registry->entries);
}
