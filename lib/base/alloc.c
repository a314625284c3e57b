// SPDX-License-Identifier: MIT

#include "base/alloc.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static atomic_uint_fast64_t allocations; // since the last mez_alloc_fail_at
static atomic_uint_fast64_t failing;     // number of the allocation that fails, 0: none

static bool injected_failure(void)
{
    const uint64_t number = atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed) + 1;
    return number == atomic_load_explicit(&failing, memory_order_relaxed);
}

uint64_t mez_alloc_fail_at(uint64_t n)
{
    atomic_store(&failing, n);
    return atomic_exchange(&allocations, 0);
}

void *mez_alloc_array(size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || injected_failure())
        return NULL;
    return calloc(count, size);
}

void *mez_realloc_array(void *memory, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || injected_failure())
        return NULL;
    return realloc(memory, bytes ? bytes : 1);
}

char *mez_copy_string(const char *text)
{
    if (!text)
        return NULL;
    const size_t size = strlen(text) + 1;
    char *copy = mez_alloc_array(size, 1);
    return copy ? memcpy(copy, text, size) : NULL;
}

void mez_free_memory(void *memory)
{
    free(memory);
}
