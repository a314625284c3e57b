// SPDX-License-Identifier: MIT
//
// Open addressing; the table is at most half full.

#include "map.h"

#include <stdlib.h>

#define FIRST_CAPACITY 64

static uint32_t place_of(const struct zc_map *map, const void *key)
{
    uint32_t place = (uint32_t)(((uintptr_t)key >> 4) * 2654435761u) & (map->capacity - 1);
    while (map->keys[place] != NULL && map->keys[place] != key)
        place = (place + 1) & (map->capacity - 1);
    return place;
}

static bool grow(struct zc_map *map)
{
    struct zc_map larger = {.capacity = map->capacity > 0 ? map->capacity * 2 : FIRST_CAPACITY};
    larger.keys = calloc(larger.capacity, sizeof(*larger.keys));
    larger.values = calloc(larger.capacity, sizeof(*larger.values));
    if (larger.keys == NULL || larger.values == NULL) {
        zc_map_finish(&larger);
        return false;
    }
    for (uint32_t i = 0; i < map->capacity; i++) {
        if (map->keys[i] != NULL)
            zc_map_put(&larger, map->keys[i], map->values[i]);
    }
    zc_map_finish(map);
    *map = larger;
    return true;
}

void zc_map_put(struct zc_map *map, const void *key, void *value)
{
    if (map->count * 2 >= map->capacity && !grow(map)) {
        map->failed = true;
        return;
    }
    const uint32_t place = place_of(map, key);
    map->count += map->keys[place] == NULL;
    map->keys[place] = key;
    map->values[place] = value;
}

void *zc_map_get(const struct zc_map *map, const void *key)
{
    return map->capacity > 0 ? map->values[place_of(map, key)] : NULL;
}

void zc_map_finish(struct zc_map *map)
{
    free(map->keys);
    free(map->values);
    *map = (struct zc_map){.failed = map->failed};
}
