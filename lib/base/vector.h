// SPDX-License-Identifier: MIT
//
// An array that grows: MEZ_VECTOR(type) is the type of a struct of the items, how many there are, and for how many there is room.
// Zeroed memory is an empty one. `vector` is the address of such a struct in all macros below, which read it more than once: it must
// have no side effects.
//
// Where an item is added, the array may move: whoever holds a pointer into it reads freed memory afterwards. It never shrinks before
// mez_vector_finish.
//
// Thread-safety: none; readers may run beside each other.

#ifndef MEZ_BASE_VECTOR_H
#define MEZ_BASE_VECTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/alloc.h"

#define MEZ_VECTOR(type)        \
    struct {                    \
        type *items;            \
        size_t count, capacity; \
    }

// Makes room for one item more, at items[count], which is not zeroed; the room doubles where there is none. False: no memory, and
// nothing has changed.
#define mez_vector_reserve(vector)           \
    ((vector)->count < (vector)->capacity || \
        mez_vector_grow(&(vector)->items, sizeof *(vector)->items, &(vector)->capacity))

// Adds a copy of the item at the end. False: no memory, nothing has changed, and the item was not evaluated.
#define mez_vector_push(vector, ...) \
    (mez_vector_reserve(vector) && ((vector)->items[(vector)->count++] = (__VA_ARGS__), true))

// Adds a copy of the item at a place up to `count`; those from there on move up by one. False: as above.
#define mez_vector_insert(vector, place, ...)                                                  \
    (mez_vector_reserve(vector) &&                                                             \
        (mez_vector_move(                                                                      \
             (vector)->items, sizeof *(vector)->items, (vector)->count, (place), (place) + 1), \
            (vector)->items[place] = (__VA_ARGS__), (vector)->count++, true))

// Takes the item at a place out, which is below `count`; those behind it move down by one. What it owns is the caller's.
#define mez_vector_remove(vector, place)                                                   \
    (mez_vector_move(                                                                      \
         (vector)->items, sizeof *(vector)->items, (vector)->count, (place) + 1, (place)), \
        (void)(vector)->count--)

// Frees the array, and leaves an empty one. What the items own is the caller's to free before.
#define mez_vector_finish(vector)                              \
    (mez_free_memory((vector)->items), (vector)->items = NULL, \
        (void)((vector)->count = (vector)->capacity = 0))

// --- What the macros call

// `items` is the address of the pointer to them, whatever its type.
bool mez_vector_grow(void *items, size_t size, size_t *capacity);

// Moves the items from `from` to the end, of `count`, so that the first of them is at `to`.
static inline void mez_vector_move(void *items, size_t size, size_t count, size_t from, size_t to)
{
    memmove((char *)items + to * size, (char *)items + from * size, (count - from) * size);
}

// --- Finding items by name
//
// An index finds the place of a name in an array of structs that begin with one. Files decide how many names there are, so looking
// through them all for each new one would let a small file take minutes.
//
// Thread-safety: none; lookups may run beside each other.

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
