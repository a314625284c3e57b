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
