// SPDX-License-Identifier: MIT
//
// The map. All nodes are in one list; a bucket's nodes are neighbours in it, and the bucket points to the node before the first of
// them, which for the first bucket of the list is the map's own head.

#include "map.h"

#include "memory.h"

#include <string.h>

// Up to here one bucket does, which lies in the map itself: most events have few keys, and need no other memory than their nodes. The
// real class is content with it: it makes buckets at its own next insertion.
enum { ONE_BUCKET = 16 };

// The list's head counts as a node: `first` stands where a node has `next`.
static mez_xpti_map_node *head(mez_xpti_map *map)
{
    return (mez_xpti_map_node *)(void *)&map->first;
}

static size_t bucket_of(const mez_xpti_map *map, mez_xpti_string key)
{
    return map->bucket_count == 1 ? 0 : key % map->bucket_count;
}

void xf_map_init(mez_xpti_map *map)
{
    *map = (mez_xpti_map){.buckets = &map->single_bucket, .bucket_count = 1, .max_load = 1.0f};
}

static void free_buckets(mez_xpti_map *map)
{
    if (map->buckets != &map->single_bucket)
        xf_free_shared(map->buckets);
}

void xf_map_clear(mez_xpti_map *map)
{
    mez_xpti_map_node *node = map->first;
    while (node) {
        mez_xpti_map_node *next = node->next;
        xf_free_shared(node);
        node = next;
    }
    free_buckets(map);
    xf_map_init(map);
}

static mez_xpti_map_node *find(mez_xpti_map *map, mez_xpti_string key)
{
    const size_t bucket = bucket_of(map, key);
    mez_xpti_map_node *before = map->buckets[bucket];
    mez_xpti_map_node *node = before ? before->next : NULL;
    while (node && node->key != key) {
        node = node->next;
        if (node && bucket_of(map, node->key) != bucket)
            return NULL;
    }
    return node;
}

static void link_node(mez_xpti_map *map, mez_xpti_map_node *node)
{
    mez_xpti_map_node **bucket = &map->buckets[bucket_of(map, node->key)];
    if (!*bucket) { // goes to the front, and the bucket that was there begins behind it
        node->next = map->first;
        if (node->next)
            map->buckets[bucket_of(map, node->next->key)] = node;
        map->first = node;
        *bucket = head(map);
    } else {
        node->next = (*bucket)->next;
        (*bucket)->next = node;
    }
}

static bool make_buckets(mez_xpti_map *map, size_t count)
{
    const size_t size = count * sizeof map->buckets[0];
    mez_xpti_map_node **buckets = xf_alloc_shared(size);
    if (!buckets)
        return false;
    memset(buckets, 0, size);
    mez_xpti_map_node *node = map->first;
    free_buckets(map);
    map->buckets = buckets;
    map->bucket_count = count;
    map->next_resize = count;
    map->first = NULL;
    while (node) {
        mez_xpti_map_node *next = node->next;
        link_node(map, node);
        node = next;
    }
    return true;
}

// An odd number of buckets, as keys that count in steps of two are common.
static bool reserve(mez_xpti_map *map)
{
    const size_t room = map->bucket_count == 1 ? ONE_BUCKET : map->next_resize;
    return map->count < room || make_buckets(map, map->count * 2 + 1);
}

mez_xpti_result xf_map_set(mez_xpti_map *map, mez_xpti_string key, mez_xpti_object value)
{
    mez_xpti_map_node *node = find(map, key);
    if (node) {
        node->value = value;
        return MEZ_XPTI_DUPLICATE;
    }
    if (!reserve(map))
        return MEZ_XPTI_FAIL;
    node = xf_alloc_shared(sizeof *node);
    if (!node)
        return MEZ_XPTI_FAIL;
    *node = (mez_xpti_map_node){.key = key, .value = value};
    link_node(map, node);
    map->count++;
    return MEZ_XPTI_SUCCESS;
}
