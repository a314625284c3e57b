// SPDX-License-Identifier: MIT
//
// Memory for trace points. What one thread gives back another takes, so that it stays flat when events are made in one thread and
// released in another. It is never returned to the system: an id, which is an address, can be asked for long after its event.
//
// Thread-safety: safe, except for xf_pool_each.

#ifndef XF_POOL_H
#define XF_POOL_H

#include "tracepoint.h"

// Not live; has its classes. NULL: no memory.
xf_tracepoint *xf_pool_take(void);
void xf_pool_give(xf_tracepoint *it);

// The trace point at that address, live or not. NULL: there never was one.
xf_tracepoint *xf_pool_at(uint64_t id);

// Calls for each that there ever was.
void xf_pool_each(void (*call)(xf_tracepoint *it));

#endif
