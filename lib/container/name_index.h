// SPDX-License-Identifier: MIT
//
// Finds the place of a name in an array of structs that begin with one. Files decide how many names there are, so looking
// through them all for each new one would let a small file take minutes.
//
// Thread-safety: none; lookups may run beside each other.

#ifndef MEZ_CONTAINER_NAME_INDEX_H
#define MEZ_CONTAINER_NAME_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/alloc.h"

#define MEZ_NAME_NOT_FOUND SIZE_MAX

// Zeroed memory is an empty index.
typedef struct mez_name_index {
    size_t *slots; // place + 1; 0: free. NULL: so few names that they are looked through
    size_t room;   // a power of 2
} mez_name_index;

// What is indexed: `count` structs of `size` bytes at `items`, whose first member is a `char *` to the name. Holds until the array
// grows: make it again for each call.
typedef struct mez_named_items {
    const void *items;
    size_t count;
    size_t size;
} mez_named_items;

// The place of the name among the items, which are those that were added to the index; MEZ_NAME_NOT_FOUND: none has it.
size_t mez_name_index_find(
    const mez_name_index *index, const mez_named_items *items, const char *name, size_t length);

// Makes room for one item more, in the array and in its index; the parameters of mez_grow. The index reads the names of all items
// when it grows, and the array may have moved just before that: so nobody hands in where it was. False: no memory, and the items
// are as they were.
#define mez_named_grow(index, items, count, capacity) \
    mez_named_grow_array(                             \
        (index), (items), sizeof **(items), (count), (capacity), sizeof *(capacity))

bool mez_named_grow_array(mez_name_index *index, void *items, size_t size, size_t count,
    void *capacity, size_t size_of_capacity);

// Adds the last item, for which there is room.
void mez_name_index_add(mez_name_index *index, const mez_named_items *items);

// Forgets all names; the next growth reads them again.
void mez_name_index_finish(mez_name_index *index);

#endif
