// SPDX-License-Identifier: MIT
//
// Memory, the dispatcher's own and what it shares with subscribers in C++.

#include "memory.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static atomic_uint_least64_t tries, failing;

static bool must_fail(void)
{
    const uint64_t number = atomic_load_explicit(&failing, memory_order_relaxed);
    return number != 0 && atomic_fetch_add_explicit(&tries, 1, memory_order_relaxed) + 1 == number;
}

uint64_t xf_alloc_fail_at(uint64_t n)
{
    atomic_store(&failing, n);
    return atomic_exchange(&tries, 0);
}

void *xf_alloc(size_t size)
{
    return must_fail() ? NULL : calloc(1, size);
}

void *xf_alloc_aligned(size_t size, size_t alignment)
{
    void *memory = must_fail() ? NULL : aligned_alloc(alignment, size);
    return memory ? memset(memory, 0, size) : NULL;
}

void xf_free(void *memory)
{
    free(memory);
}

// --- Shared with C++

// A map's node that a subscriber erases goes to operator delete, and one that it inserts comes from operator new. With the usual
// allocator both are malloc's; whoever replaces them, or watches over them, wants pairs.
typedef void *take_function(size_t size, const void *nothrow);
typedef void give_function(void *memory);

static _Atomic(take_function *)
    take; // operator new(size_t, const std::nothrow_t &): returns NULL where others would throw
static _Atomic(give_function *) give; // operator delete(void *)

// Libraries that were opened for themselves are not in the global scope, but the C++ library that they have brought is there by name.
static void *find_in_cxx(const char *name)
{
    void *address = dlsym(RTLD_DEFAULT, name);
    if (address)
        return address;
    void *library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_NOLOAD);
    if (!library)
        return NULL;
    address = dlsym(library, name);
    dlclose(library);
    return address;
}

void xf_find_shared_memory(void)
{
    void *found_take = find_in_cxx("_ZnwmRKSt9nothrow_t");
    void *found_give = find_in_cxx("_ZdlPv");
    const bool both = found_take && found_give;
    take_function *new_take = NULL;
    give_function *new_give = NULL;
    if (both) {
        memcpy(&new_take, &found_take, sizeof new_take);
        memcpy(&new_give, &found_give, sizeof new_give);
    }
    atomic_store(&take, new_take);
    atomic_store(&give, new_give);
}

void *xf_alloc_shared(size_t size)
{
    static const char nothrow; // std::nothrow_t has no contents
    if (must_fail())
        return NULL;
    take_function *function = atomic_load_explicit(&take, memory_order_relaxed);
    return function ? function(size, &nothrow) : malloc(size);
}

void xf_free_shared(void *memory)
{
    give_function *function = atomic_load_explicit(&give, memory_order_relaxed);
    if (function)
        function(memory);
    else
        free(memory);
}
