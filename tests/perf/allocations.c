// SPDX-License-Identifier: MIT
//
// The program's definitions come before libc's, for every library. Memory is still libc's, so that free needs no change.

#include "allocations.h"

#include <errno.h>
#include <stdlib.h>

// glibc's own names for what we stand before.
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

// Of each thread: a shared counter would add a locked instruction to what is measured.
static _Thread_local uint64_t allocations;

uint64_t perf_allocations(void)
{
    return allocations;
}

void perf_add_allocations(uint64_t count)
{
    allocations += count;
}

void *malloc(size_t size)
{
    allocations++;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    allocations++;
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    allocations++;
    return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    allocations++;
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    allocations++;
    *memory = __libc_memalign(alignment, size);
    return *memory ? 0 : ENOMEM;
}
