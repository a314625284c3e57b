// SPDX-License-Identifier: MIT
//
// Addresses that are reserved first and get memory later.
#ifndef ZE_CPU_VIRTUAL_MEMORY_H
#define ZE_CPU_VIRTUAL_MEMORY_H

#include "memory.h"

// Pages are of 64 KiB, as Intel's driver has them; the system's own may be smaller.
#define ZC_VIRTUAL_PAGE ((size_t)64 << 10)

// Each mapping in it is an allocation (memory.h), whose owner the reservation is.
struct zc_reservation {
    struct zc_reservation *next; // guarded by a lock in virtual_memory.c, as all but base and size
    char *base;
    size_t size;
    ze_context_handle_t context; // may be gone, and is only compared
    struct zc_memory_map *map;   // that knows what has memory
    uint8_t pages[];             // the access that was asked for, and whether there is memory
};

#endif
