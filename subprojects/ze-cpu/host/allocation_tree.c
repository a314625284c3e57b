// SPDX-License-Identifier: MIT
#include "allocation_tree.h"

#include "memory.h"

#include <stdlib.h>

struct zc_allocation_node {
    struct zc_allocation allocation; // first: callers have its address
    struct zc_allocation_node *left, *right;
    uint64_t priority; // no node has a lower one than those below it
};

typedef struct zc_allocation_node node;

// xorshift64
static uint64_t draw(struct zc_allocation_tree *tree)
{
    tree->random ^= tree->random << 13;
    tree->random ^= tree->random >> 7;
    tree->random ^= tree->random << 17;
    return tree->random;
}

static const char *base_of(const node *node)
{
    return node->allocation.base;
}

// Parts the nodes below `root` by address.
static void split(node *root, const char *address, node **before, node **behind)
{
    while (root) {
        if (base_of(root) < address) {
            *before = root;
            before = &root->right;
            root = root->right;
        } else {
            *behind = root;
            behind = &root->left;
            root = root->left;
        }
    }
    *before = *behind = NULL;
}

struct zc_allocation *zc_tree_insert(
    struct zc_allocation_tree *tree, const struct zc_allocation *allocation)
{
    node *fresh = malloc(sizeof *fresh), **link = &tree->root;
    if (!fresh)
        return NULL;
    *fresh = (node){.allocation = *allocation, .priority = draw(tree)};
    while (*link && (*link)->priority >= fresh->priority)
        link = allocation->base < base_of(*link) ? &(*link)->left : &(*link)->right;
    split(*link, allocation->base, &fresh->left, &fresh->right);
    *link = fresh;
    return &fresh->allocation;
}

static node *merge(node *before, node *behind)
{
    node *root, **link = &root;
    while (before && behind) {
        if (before->priority >= behind->priority) {
            *link = before;
            link = &before->right;
            before = before->right;
        } else {
            *link = behind;
            link = &behind->left;
            behind = behind->left;
        }
    }
    *link = before ? before : behind;
    return root;
}

void zc_tree_remove(struct zc_allocation_tree *tree, struct zc_allocation *allocation)
{
    node *gone = (node *)(void *)allocation, **link = &tree->root; // its first member
    while (*link != gone)
        link = allocation->base < base_of(*link) ? &(*link)->left : &(*link)->right;
    *link = merge(gone->left, gone->right);
    free(gone);
}

static struct zc_allocation *allocation_of(node *node)
{
    return node ? &node->allocation : NULL;
}

struct zc_allocation *zc_tree_at_or_before(
    const struct zc_allocation_tree *tree, const void *address)
{
    node *found = NULL;
    for (node *at = tree->root; at;) {
        const bool fits = base_of(at) <= (const char *)address;
        found = fits ? at : found;
        at = fits ? at->right : at->left;
    }
    return allocation_of(found);
}

struct zc_allocation *zc_tree_behind(const struct zc_allocation_tree *tree, const void *address)
{
    node *found = NULL;
    for (node *at = tree->root; at;) {
        const bool fits = base_of(at) > (const char *)address;
        found = fits ? at : found;
        at = fits ? at->left : at->right;
    }
    return allocation_of(found);
}

struct zc_allocation *zc_tree_first(const struct zc_allocation_tree *tree)
{
    return zc_tree_behind(tree, NULL);
}

struct zc_allocation *zc_tree_next(
    const struct zc_allocation_tree *tree, const struct zc_allocation *one)
{
    return zc_tree_behind(tree, one->base);
}
