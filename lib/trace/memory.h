// SPDX-License-Identifier: MIT
//
// Allocations as trace points: on the stream of memory, and as nodes of the graph. An allocation's node stays until its release, which
// gets an edge from it.
//
// Thread-safety: safe.

#ifndef MEZ_TRACE_MEMORY_H
#define MEZ_TRACE_MEMORY_H

#include <mezzanine/base.h>

#include "trace/trace.h"

typedef struct mez_trace_allocation {
    const mez_location *where;
    const char *name;        // the user's; NULL: none
    const char *kind;        // "device", "host", "shared"
    const char *device_name; // NULL: unknown
    size_t size;
} mez_trace_allocation;

__attribute__((cold)) void mez_trace_alloc_begin(const mez_trace_allocation *allocation);
// `pointer` NULL: it failed.
__attribute__((cold)) void mez_trace_alloc_end(
    const mez_trace_allocation *allocation, const void *pointer);

// An allocation that has not been freed.
typedef struct mez_trace_live {
    const void *pointer; // NULL: it is not known
    size_t size;
    struct mez_trace_node *node; // referenced; NULL: there was no memory for one
} mez_trace_live;

// Around a free, which may fail. As soon as it is done another thread may be given the same address: so it is forgotten before.
__attribute__((cold)) mez_trace_live mez_trace_free_begin(const void *pointer);
__attribute__((cold)) void mez_trace_free_end(
    mez_trace_live live, const mez_location *where, const void *pointer, bool freed);

#endif
