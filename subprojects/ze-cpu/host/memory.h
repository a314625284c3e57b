// SPDX-License-Identifier: MIT
//
// Unified shared memory, and the map that finds the allocation an address lies in.
#ifndef ZE_CPU_MEMORY_H
#define ZE_CPU_MEMORY_H

#include "allocation_tree.h"

#include <level_zero/ze_api.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct zc_allocation {
    char *base;
    size_t size;
    size_t before;          // bytes of its block (block.h) in front of it
    size_t block_size;      // 0: it has no block of its own
    struct zc_chunk *chunk; // that the block is a unit of (units.h); NULL: of none
    ze_memory_type_t type;
    ze_device_handle_t device; // NULL: host memory
    ze_context_handle_t context;
    uint64_t id;
    // NULL: us. Else this is a variable of that module, or memory mapped into that reservation (virtual_memory.h), which then is
    // `reservation`, too.
    const void *owner;
    const struct zc_reservation *reservation;
    bool of_image; // then the owner is that image, or its texels (image_handle.h)
    bool imported; // another process's memory, opened by handle
    bool resident; // for every kernel (residency.h)
    bool exported; // its pages are in the file `fd`
    bool foreign;  // which the program has given (external.h)
    bool in_heap;  // its block is of the heap (block.h)
    int fd;
};

// Of so many that were freed it is known where they were.
#define ZC_FREED_KEPT 64

// All allocations of the driver. Programs free, query and share memory through other contexts than its own, which Intel's driver lets
// pass; with ZE_CPU_STRICT only the context that owns an allocation knows it.
//
// Thread-safety: every function locks.
struct zc_memory_map {
    pthread_mutex_t lock; // guards what follows
    struct zc_allocation_tree tree;
    uint64_t last_id;
    struct zc_allocation freed[ZC_FREED_KEPT]; // the newest, in a ring
    size_t freed_count;
    struct zc_allocation *held; // freed, and not yet given back; the oldest first
    size_t held_count, held_bytes;
};

void zc_memory_map_init(struct zc_memory_map *map);
// Forgets all allocations of the context, which goes. They themselves stay: whoever forgets one leaks it.
void zc_memory_map_forget(ze_context_handle_t context);
// False: memory is short.
bool zc_memory_map_add(struct zc_memory_map *map, struct zc_allocation allocation);
// Forgets the allocation that starts at `base`, if the context knows it, it is ours, and is imported or not as the caller says.
bool zc_memory_map_take(
    ze_context_handle_t context, const void *base, bool imported, struct zc_allocation *taken);
// Calls `change` with the allocation around `address`, under the lock, and copies the outcome.
// ZE_RESULT_ERROR_INVALID_ARGUMENT: the context knows no such allocation.
ze_result_t zc_memory_map_change(ze_context_handle_t context, const void *address,
    ze_result_t (*change)(struct zc_allocation *allocation), struct zc_allocation *outcome);
// Copies what is known about the allocation around `address`. False: the context knows none.
bool zc_memory_map_look_up(
    ze_context_handle_t context, const void *address, struct zc_allocation *allocation);
// Makes a module's variable known as the device's memory. Adding the same address again changes
// nothing. False: memory is short.
bool zc_memory_map_lend(struct zc_memory_map *map, const struct zc_allocation *variable);
// Writes in and beside which allocation the address lies, or that it is in none. Returns the text's length.
size_t zc_memory_map_describe(
    struct zc_memory_map *map, uintptr_t address, char *text, size_t size);
// Likewise for an address in or beside that allocation.
void zc_allocation_describe(
    const struct zc_allocation *allocation, uintptr_t address, char *text, size_t size);
// Likewise for the allocation that has the number.
size_t zc_memory_map_describe_number(
    struct zc_memory_map *map, uint32_t number, char *text, size_t size);
// The allocation that contains `address`, or NULL; the caller has the lock.
struct zc_allocation *zc_memory_map_find(const struct zc_memory_map *map, const void *address);
// Forgets what of that owner's lies in the range. False: memory is short, and some may be left.
bool zc_memory_map_cut(struct zc_memory_map *map, const void *owner, const char *base, size_t size);
// Forgets the allocation that starts at `base`, if it is of that owner.
void zc_memory_map_return_one(struct zc_memory_map *map, const void *owner, const void *base);
// Forgets all that is of that owner.
void zc_memory_map_return(struct zc_memory_map *map, const void *owner);

#endif
