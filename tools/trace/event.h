// SPDX-License-Identifier: MIT
//
// What a record says, as pictures get it.

#ifndef TRACE_EVENT_H
#define TRACE_EVENT_H

#include "nodes.h"
#include "picture.h"

// All but the time and the thread. Its strings are those of the memory and the nodes. A record of a pair is its begin or its end,
// every other one an instant, until somebody knows better.
struct trace_event trace_event_of(const struct trace_memory *memory, struct trace_nodes *nodes,
    const struct trace_record *record);

#endif
