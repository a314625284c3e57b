// SPDX-License-Identifier: MIT
//
// For this folder: the nodes of allocations that have not been freed, found by address.
//
// Thread-safety: safe.

#ifndef MEZ_TRACE_ALLOCATIONS_H
#define MEZ_TRACE_ALLOCATIONS_H

#include "trace/memory.h"
#include "trace/node.h"

// Takes over the node's reference. Without memory it is given up: the release will have no edge.
void mez_trace_allocations_add(const mez_trace_live *live);

// Takes it out, and hands the node's reference over. All zero where nothing is known.
mez_trace_live mez_trace_allocations_take(const void *pointer);

#endif
