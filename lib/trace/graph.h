// SPDX-License-Identifier: MIT
//
// The graph that tools draw: commands and allocations as its nodes, and what comes before what.

#ifndef MEZ_TRACE_GRAPH_H
#define MEZ_TRACE_GRAPH_H

#include <mezzanine/base.h>

#include "base/ref.h"
#include "trace/trace.h"

// --- Commands
//
// A command as a node of the graph that tools draw: tools are notified when it is given to a queue, when it is handed to the driver
// and when it has run.
//
// Its event is released with the last reference: the command's, until it is over, and those of everybody whose successors are to
// get an edge from it.
//
// Thread-safety: safe; a node is described by one thread before tools are notified of it.

typedef struct mez_trace_node {
    mez_ref ref;
    mez_trace_stream stream;
    uint8_t detail; // MEZ_XPTI_DETAIL_*: how much metadata is wanted
    struct mez_xpti_event *event;
    uint64_t instance;
    uint64_t queue_id;  // 0: of no queue
    uint64_t submitted; // when it was handed over, ns of CLOCK_MONOTONIC; 0: not yet
    uint64_t outer;     // the thread's scope outside the task; while it is handed over
} mez_trace_node;

// Does anybody listen? Tracing may be switched off for now.
bool mez_trace_nodes_wanted(void);

// With the place in its metadata, and one reference. NULL: no memory, and the trace lacks it; all others here accept that.
mez_trace_node *mez_trace_node_create(
    const char *name, const mez_location *where, uint64_t queue_id);

void mez_trace_node_ref(mez_trace_node *node);
void mez_trace_node_unref(mez_trace_node *node);
// Gives up the reference and sets *node to NULL.
__attribute__((cold)) void mez_trace_node_drop(mez_trace_node **node);

static inline bool mez_trace_node_wants(const mez_trace_node *node, uint8_t detail)
{
    return node->detail >= detail;
}

// It has all its metadata. `kind` is a word that tools for SYCL know, such as "command_group_node".
void mez_trace_node_notify(const mez_trace_node *node, const char *kind);

// `to` waits for `from`, by an event ("Event[0x..]") or, for NULL, by the order of their queue ("Order").
void mez_trace_edge(const mez_trace_node *from, const mez_trace_node *to, const void *event);

// Between these two it is handed over. Until then the thread's universal id is the node's, unless something above us has set one.
void mez_trace_node_begin(mez_trace_node *node);
void mez_trace_node_end(mez_trace_node *node);

// Which of the driver's objects will signal its end; between the two. NULL: none.
void mez_trace_node_signal(const mez_trace_node *node, const void *native);

// It is over.
void mez_trace_node_ran(const mez_trace_node *node, const mez_trace_execution *execution);

// --- Allocations
//
// Allocations as trace points: on the stream of memory, and as nodes of the graph. An allocation's node stays until its release, which
// gets an edge from it.
//
// Thread-safety: safe.

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
