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
#define mez_vector_reserve(vector) \
    mez_array_reserve((vector)->items, (vector)->count, (vector)->capacity)

// The same for an array whose struct has names of its own for the pointer to the items, their number, and the capacity, a size_t.
#define mez_array_reserve(items, count, capacity) \
    ((count) < (capacity) || mez_vector_grow(&(items), sizeof *(items), &(capacity)))

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
// MEZ_NAMED(type) is a vector of structs whose first member is a `char *` to a name, or of such pointers, with an index of these
// names. Files decide how many names there are, so looking through them all for each new one would let a small file take minutes.
//
// All of the macros above can be used for it, except for mez_vector_finish, and those that add or take out: the index would not know.
//
// Thread-safety: none; lookups may run beside each other.

#define MEZ_NAME_NOT_FOUND SIZE_MAX

// Zeroed memory is an empty index, and so of an empty vector.
typedef struct mez_name_index {
    size_t *slots; // place + 1; 0: free. NULL: so few names that they are looked through
    size_t room;   // a power of 2
} mez_name_index;

#define MEZ_NAMED(type)         \
    struct {                    \
        type *items;            \
        size_t count, capacity; \
        mez_name_index index;   \
    }

// The place of the item of that name; MEZ_NAME_NOT_FOUND: none has it.
#define mez_named_find(vector, name, length) \
    mez_name_index_find(&(vector)->index, mez_named_items_of(vector), (name), (length))

// Makes room for one item more, in the array and in its index. False: no memory, and nothing has changed.
#define mez_named_reserve(vector)  \
    (mez_vector_reserve(vector) && \
        mez_name_index_reserve(&(vector)->index, mez_named_items_of(vector)))

// Adds a copy of the item, whose name no other one has, at the end. False: no memory, nothing has changed, and the item was not
// evaluated.
#define mez_named_push(vector, ...)                          \
    (mez_named_reserve(vector) &&                            \
        ((vector)->items[(vector)->count++] = (__VA_ARGS__), \
            mez_name_index_add(&(vector)->index, mez_named_items_of(vector)), true))

// Takes the item at a place out, as mez_vector_remove does. Places change, so the index is made again with the next item.
#define mez_named_remove(vector, place) \
    (mez_vector_remove(vector, place), mez_name_index_finish(&(vector)->index))

// Frees the array and its index, and leaves an empty one. What the items own is the caller's to free before.
#define mez_named_finish(vector) \
    (mez_vector_finish(vector), mez_name_index_finish(&(vector)->index))

// --- What these macros call

// What is indexed: `count` items of `size` bytes that begin with the pointer to the name. Holds until the array grows.
typedef struct mez_named_items {
    const void *items;
    size_t count;
    size_t size;
} mez_named_items;

#define mez_named_items_of(vector) \
    (&(const mez_named_items){(vector)->items, (vector)->count, sizeof *(vector)->items})

size_t mez_name_index_find(
    const mez_name_index *index, const mez_named_items *items, const char *name, size_t length);
bool mez_name_index_reserve(mez_name_index *index, const mez_named_items *items);

// Adds the last item, for which there is room.
void mez_name_index_add(mez_name_index *index, const mez_named_items *items);

// Forgets all names; the next one reserved reads them again.
void mez_name_index_finish(mez_name_index *index);

#endif
