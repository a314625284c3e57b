// SPDX-License-Identifier: MIT
//
// Memory of the dispatcher. Every allocation goes through here, so that a test can make the n-th one fail.
//
// Thread-safety: safe.

#ifndef XF_MEMORY_H
#define XF_MEMORY_H

#include <stddef.h>
#include <stdint.h>

// Zeroed; aligned for any type, or as said (a power of two). NULL: there is none. Free with xf_free.
void *xf_alloc(size_t size);
void *xf_alloc_aligned(size_t size, size_t alignment);
void xf_free(void *memory);

// Memory that C++ code may free, or replace by its own: from its operator new where the process has one, else from malloc. Not zeroed.
void *xf_alloc_shared(size_t size);
void xf_free_shared(void *memory);
// Looks for operator new again. What was allocated before must have been freed.
void xf_find_shared_memory(void);

// For tests: the n-th allocation from now on fails (1: the next); 0 stops it. Returns how many were tried since the last call,
// if one of them was to fail; else 0.
uint64_t xf_alloc_fail_at(uint64_t n);

#endif
