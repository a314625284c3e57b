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

#endif
