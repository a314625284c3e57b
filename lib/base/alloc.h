// SPDX-License-Identifier: MIT
//
// Host memory of the library. Every allocation goes through here, so that a test can make the n-th one fail.
//
// Thread-safety: safe.

#ifndef MEZ_BASE_ALLOC_H
#define MEZ_BASE_ALLOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Zeroed memory for `count` items; NULL when there is none or the product overflows. Free with mez_free_memory.
void *mez_alloc_array(size_t count, size_t size);

// As realloc, for `count` items; new bytes are not zeroed. On NULL the old block is untouched.
void *mez_realloc_array(void *memory, size_t count, size_t size);

// Makes room for one item more than the `count` in an array of `*capacity` items, all of it twice as large where it is full. The
// array moves then: whoever holds a pointer into it, or its address, reads freed memory afterwards. `items` is the address of the
// pointer to it, `capacity` that of a uint32_t or a size_t. False: no memory, and nothing has changed.
#define mez_grow(items, count, capacity) \
    mez_grow_array((items), sizeof **(items), (count), (capacity), sizeof *(capacity))

bool mez_grow_array(
    void *items, size_t size, size_t count, void *capacity, size_t size_of_capacity);

// A copy of `text`; NULL for NULL.
char *mez_copy_string(const char *text);

void mez_free_memory(void *memory);

#define mez_new(type) ((type *)mez_alloc_array(1, sizeof(type)))

// For tests: the n-th allocation from now on fails (1: the next); 0 stops it. Returns how many allocations were tried since
// the last call.
uint64_t mez_alloc_fail_at(uint64_t n);

// --- How much there is

// What programs can still have without anything being swapped out, in bytes. False: the kernel does not report it.
bool mez_host_memory_available(uint64_t *bytes);

// The same from a text like /proc/meminfo.
bool mez_host_memory_parse(const char *text, uint64_t *bytes);

#endif
