// SPDX-License-Identifier: MIT
//
// Lists that get longer one by one.

#ifndef ZC_ENGINE_GROW_H
#define ZC_ENGINE_GROW_H

#include <stdbool.h>
#include <stdlib.h>

// Makes room for one element more in a list that this function alone has made room in: there is room for as many as the next power
// of two, so memory is asked for only where `count` is one. `list` may be NULL where `count` is 0. Returns where the list is now;
// NULL: no memory, and the list is where it was.
static inline void *zc_grow(void *list, size_t count, size_t element_size)
{
    const bool is_full = (count & (count - 1)) == 0;
    const size_t capacity = count > 0 ? 2 * count : 1;
    return is_full ? realloc(list, capacity * element_size) : list;
}

#endif
