// SPDX-License-Identifier: MIT

#include "memory/registry.h"

#include <string.h>

#include "base/alloc.h"

static bool reserve(mez_registry *registry)
{
    if (registry->count < registry->capacity)
        return true;
    const size_t capacity = registry->capacity ? registry->capacity * 2 : 16;
    struct mez_registry_entry *entries =
        mez_realloc_array(registry->entries, capacity, sizeof *entries);
    if (!entries)
        return false;
    registry->entries = entries;
    registry->capacity = capacity;
    return true;
}

bool mez_registry_insert(mez_registry *registry, mez_span *span)
{
    if (!reserve(registry))
        return false;
    const size_t at = mez_registry_position(registry, (uintptr_t)span->base);
    struct mez_registry_entry *entry = &registry->entries[at];
    memmove(entry + 1, entry, (registry->count - at) * sizeof *entry);
    *entry = (struct mez_registry_entry){.base = (uintptr_t)span->base, .span = span};
    registry->count++;
    return true;
}

void mez_registry_remove(mez_registry *registry, const mez_span *span)
{
    const size_t at = mez_registry_position(registry, (uintptr_t)span->base) - 1;
    struct mez_registry_entry *entry = &registry->entries[at];
    registry->count--;
    memmove(entry, entry + 1, (registry->count - at) * sizeof *entry);
}

void mez_registry_finish(mez_registry *registry)
{
    mez_free_memory(registry->entries);
}
