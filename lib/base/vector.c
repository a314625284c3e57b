// SPDX-License-Identifier: MIT

#include "base/vector.h"

#define FIRST_CAPACITY 8

bool mez_vector_grow(void *items, size_t size, size_t *capacity)
{
    size_t larger = FIRST_CAPACITY;
    if (*capacity > 0 && __builtin_mul_overflow(*capacity, 2, &larger))
        return false;
    // The pointer is of another type than void *: its bytes are read and written.
    void *memory;
    memcpy(&memory, items, sizeof memory);
    memory = mez_realloc_array(memory, larger, size);
    if (!memory)
        return false;
    memcpy(items, &memory, sizeof memory);
    *capacity = larger;
    return true;
}
