// SPDX-License-Identifier: MIT
//
// A context owns allocations, which the whole driver knows.
#ifndef ZE_CPU_CONTEXT_H
#define ZE_CPU_CONTEXT_H

#include "memory.h"

struct _ze_context_handle_t {
    struct zc_memory_map *memory; // of the driver
    bool is_default;              // the driver's own
};

#endif
