// SPDX-License-Identifier: MIT
#include "live.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// Index of the first object that is not below `object`.
static size_t lower_bound(const struct zc_live *live, const void *object)
{
    size_t low = 0, high = live->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if ((uintptr_t)live->objects[middle] < (uintptr_t)object)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_at(const struct zc_live *live, size_t index, const void *object)
{
    return index < live->count && live->objects[index] == object;
}

static bool reserve_one(struct zc_live *live)
{
    if (live->count < live->capacity)
        return true;
    const size_t capacity = live->capacity ? 2 * live->capacity : 16;
    void **grown = realloc(live->objects, capacity * sizeof *grown);
    if (!grown)
        return false;
    live->objects = grown;
    live->capacity = capacity;
    return true;
}

bool zc_live_add(struct zc_live *live, void *object)
{
    pthread_mutex_lock(&live->lock);
    const bool fits = reserve_one(live);
    if (fits) {
        const size_t at = lower_bound(live, object);
        void **slot = &live->objects[at];
        memmove(slot + 1, slot, (live->count - at) * sizeof *slot);
        *slot = object;
        live->count++;
    }
    pthread_mutex_unlock(&live->lock);
    return fits;
}

bool zc_live_remove(struct zc_live *live, const void *object)
{
    pthread_mutex_lock(&live->lock);
    const size_t at = lower_bound(live, object);
    const bool found = is_at(live, at, object);
    if (found) {
        void **slot = &live->objects[at];
        memmove(slot, slot + 1, (live->count - at - 1) * sizeof *slot);
        live->count--;
    }
    pthread_mutex_unlock(&live->lock);
    return found;
}

bool zc_live_visit(
    struct zc_live *live, const void *object, void (*visit)(void *object, void *user), void *user)
{
    pthread_mutex_lock(&live->lock);
    const size_t at = lower_bound(live, object);
    const bool found = is_at(live, at, object);
    if (found && visit)
        visit(live->objects[at], user);
    pthread_mutex_unlock(&live->lock);
    return found;
}
