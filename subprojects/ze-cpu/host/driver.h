// SPDX-License-Identifier: MIT
//
// The driver: one per process.
#ifndef ZE_CPU_DRIVER_H
#define ZE_CPU_DRIVER_H

#include "context.h"
#include "topology.h"

#include <stdint.h>

#define ZC_DRIVER_VERSION 1

// The specification's handles are pointers to these structs: giving them a body here makes casts
// unnecessary.
struct _ze_driver_handle_t {
    struct zc_topology topology;
    struct zc_memory_map memory; // of all contexts
    struct _ze_context_handle_t default_context;
};

// NULL: it is not initialised.
ze_driver_handle_t zc_the_driver(void);

#endif
