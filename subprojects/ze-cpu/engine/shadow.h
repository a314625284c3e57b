// SPDX-License-Identifier: MIT
//
// The shadow of memory: which of its bits nobody has written yet (ZE_CPU_CHECK=uninitialized). Both halves of ze-cpu have this
// code; the host creates the shadow, of which a process has one.
//
// Memory is tracked by pages: device memory of allocations, and what the engine gives to work-items and groups. Of all other
// memory everything counts as written, because the host writes there without anybody noticing: its shadow is zero and stays so.
//
// The shadow of a region lies beside that of its neighbours in the region, so that generated code finds it without a call
// (unwritten_check.c). Regions are made where memory is tracked, and stay.
//
// Thread-safety: all functions may be called from any thread; about bytes that one thread writes while another asks for them
// either answer is possible.

#ifndef ZC_ENGINE_SHADOW_H
#define ZC_ENGINE_SHADOW_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ZC_SHADOW_ADDRESS_BITS 48
#define ZC_SHADOW_REGION_BITS 26
#define ZC_SHADOW_PAGE_BITS 12
#define ZC_SHADOW_REGION ((size_t)1 << ZC_SHADOW_REGION_BITS)
#define ZC_SHADOW_REGIONS ((size_t)1 << (ZC_SHADOW_ADDRESS_BITS - ZC_SHADOW_REGION_BITS))
#define ZC_SHADOW_PAGES ((size_t)1 << (ZC_SHADOW_REGION_BITS - ZC_SHADOW_PAGE_BITS))

// Where a value comes from that nobody has written.
#define ZC_ORIGIN_UNKNOWN 0u
#define ZC_ORIGIN_LOCAL 1u
#define ZC_ORIGIN_VARIABLE 2u                    // and more: private variables, see unwritten.c
#define ZC_ORIGIN_ALLOCATION ((uint32_t)1 << 31) // with the number that the host gave it

struct zc_shadow_region {
    unsigned char unwritten[ZC_SHADOW_REGION];             // bits that are set
    uint32_t origins[ZC_SHADOW_REGION / sizeof(uint32_t)]; // of those, for each four bytes
    unsigned char tracked[ZC_SHADOW_PAGES];
};

struct zc_shadow {
    _Atomic(struct zc_shadow_region *) regions[ZC_SHADOW_REGIONS]; // NULL: nothing in it is tracked
};

// Memory that is there when it is touched. NULL: there is none.
void *zc_shadow_map(size_t size);
// NULL: there is no memory.
struct zc_shadow *zc_shadow_create(void);

// Of the address; it is made if it was not there. NULL: there is no memory.
struct zc_shadow_region *zc_shadow_region_of(struct zc_shadow *shadow, uintptr_t address);
// Nobody has written there; the pages are tracked from now on. Where memory is short, they are not.
void zc_shadow_set_unwritten(
    struct zc_shadow *shadow, const void *address, size_t size, uint32_t origin);
void zc_shadow_set_written(struct zc_shadow *shadow, const void *address, size_t size);
// What is at `from` is written to `to`.
void zc_shadow_copy(struct zc_shadow *shadow, const void *to, const void *from, size_t size);
// Pages that the range touches are not tracked any more, and all in it is written.
void zc_shadow_forget(struct zc_shadow *shadow, const void *address, size_t size);
// Is there anything that nobody has written? Then *origin is that of the first byte.
bool zc_shadow_find_unwritten(
    struct zc_shadow *shadow, const void *address, size_t size, uint32_t *origin);

#endif
