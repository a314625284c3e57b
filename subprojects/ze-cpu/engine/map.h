// SPDX-License-Identifier: MIT
//
// A table from pointers to pointers.

#ifndef ZC_ENGINE_MAP_H
#define ZC_ENGINE_MAP_H

#include <stdbool.h>
#include <stdint.h>

// Zero-initialised.
struct zc_map {
    const void **keys;
    void **values;
    uint32_t capacity; // a power of two
    uint32_t count;
    bool failed; // there was no memory: something is missing
};

// Replaces what the key had.
void zc_map_put(struct zc_map *map, const void *key, void *value);
// NULL: nothing.
void *zc_map_get(const struct zc_map *map, const void *key);
void zc_map_finish(struct zc_map *map);

#endif
