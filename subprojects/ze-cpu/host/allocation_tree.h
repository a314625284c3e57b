// SPDX-License-Identifier: MIT
//
// Allocations by address: a treap, a search tree that random numbers keep balanced. Allocations neither overlap nor move while they are
// in it.
//
// Thread-safety: none; zc_memory_map has the lock.
#ifndef ZE_CPU_ALLOCATION_TREE_H
#define ZE_CPU_ALLOCATION_TREE_H

#include <stdint.h>

struct zc_allocation;
struct zc_allocation_node;

struct zc_allocation_tree {
    struct zc_allocation_node *root;
    uint64_t random; // state of the generator; any number but 0
};

#define ZC_ALLOCATION_TREE                     \
    {                                          \
        .random = UINT64_C(0x9e3779b97f4a7c15) \
    }

// Adds a copy. NULL: memory is short.
struct zc_allocation *zc_tree_insert(
    struct zc_allocation_tree *tree, const struct zc_allocation *allocation);
// It is of the tree, and gone afterwards.
void zc_tree_remove(struct zc_allocation_tree *tree, struct zc_allocation *allocation);

// The last that begins at or before the address; NULL: none does.
struct zc_allocation *zc_tree_at_or_before(
    const struct zc_allocation_tree *tree, const void *address);
// The first that begins behind the address; NULL: none does.
struct zc_allocation *zc_tree_behind(const struct zc_allocation_tree *tree, const void *address);

// All of them, by address; `one` may be removed meanwhile if zc_tree_next was called before that.
struct zc_allocation *zc_tree_first(const struct zc_allocation_tree *tree);
struct zc_allocation *zc_tree_next(
    const struct zc_allocation_tree *tree, const struct zc_allocation *one);

#endif
