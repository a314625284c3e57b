// SPDX-License-Identifier: MIT
//
// Metadata beside a plain array: after every change the map has the same keys and values, and is laid out as C++ expects.

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "map.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { KEYS = 1 << 9 };

static struct {
    bool there;
    mez_xpti_object value;
} model[KEYS];

static void must(bool condition)
{
    if (!condition)
        abort();
}

// Neighbours of one bucket, each bucket once, and the bucket's pointer to the node before its first one.
static void check_layout(const mez_xpti_map *map)
{
    const mez_xpti_map_node *before = (const mez_xpti_map_node *)(const void *)&map->first;
    size_t bucket = SIZE_MAX, count = 0, used = 0, pointers = 0;
    for (const mez_xpti_map_node *it = map->first; it; before = it, it = it->next) {
        const size_t own = it->key % map->bucket_count;
        if (own != bucket) {
            must(map->buckets[own] == before);
            used++;
        }
        bucket = own;
        must(it->key < KEYS && model[it->key].there && model[it->key].value == it->value);
        count++;
    }
    for (size_t i = 0; i < map->bucket_count; i++)
        pointers += map->buckets[i] != NULL;
    must(count == map->count && used == pointers);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    mez_xpti_map map;
    size_t count = 0;
    xf_map_init(&map);
    for (size_t i = 0; i < KEYS; i++)
        model[i].there = false;
    for (; size >= 3; bytes += 3, size -= 3) {
        const mez_xpti_string key = (bytes[0] | (unsigned)bytes[1] << 8) % KEYS;
        const mez_xpti_result result = xf_map_set(&map, key, bytes[2]);
        must(result == (model[key].there ? MEZ_XPTI_DUPLICATE : MEZ_XPTI_SUCCESS));
        count += !model[key].there;
        model[key].there = true;
        model[key].value = bytes[2];
        must(map.count == count);
        check_layout(&map);
    }
    xf_map_clear(&map);
    must(map.count == 0 && !map.first);
    return 0;
}
