// SPDX-License-Identifier: MIT
//
// Where checked kernels (ZE_CPU_CHECK) may access memory. Allocations have room around them then that belongs to nobody (block.h), and
// are kept back for a while when they are freed, so that an access that strays a little does not arrive in another one.
#ifndef ZE_CPU_MEMORY_CHECK_H
#define ZE_CPU_MEMORY_CHECK_H

#include "memory.h"
#include "residency.h"

#include <engine.h>

// What run_groups asks about memory.
struct zc_memory_checker {
    struct zc_checker base;
    struct zc_memory_map *map;
    bool system;                   // the device may access all memory of the process
    struct zc_residency residency; // looked at where kernels are held to it
};
void zc_memory_checker_init(struct zc_memory_checker *checker, struct zc_memory_map *map,
    ze_device_handle_t device, const struct zc_residency *residency);

// The address is in an allocation that is not resident for the launch: the kind of its memory, in a word. NULL: it is not.
const char *zc_memory_checker_find_missing(
    const struct zc_memory_checker *checker, uintptr_t address);

// Is the address in the block of an allocation, or of one that was freed and is kept back? The caller has the lock.
bool zc_memory_is_in_block(const struct zc_memory_map *map, uintptr_t address);
// The allocation, which the map has forgotten, is given back, now or later.
void zc_hold_or_free(struct zc_memory_map *map, const struct zc_allocation *allocation);
// What was kept back of the context's memory is given back. The caller has the lock.
void zc_held_forget(struct zc_memory_map *map, ze_context_handle_t context);

#endif
