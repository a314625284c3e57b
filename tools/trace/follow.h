// SPDX-License-Identifier: MIT
//
// Makes events of records: joins ends to begins, executions to submissions and edges to nodes, and gives names to all of them.

#ifndef TRACE_FOLLOW_H
#define TRACE_FOLLOW_H

#include "picture.h"

struct trace_follow;

// Passes events to each of the pictures, which stay yours and outlive it. `start`: the time that counts as 0.
// MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error trace_follow_create(const struct trace_memory *memory, uint64_t start,
    struct trace_picture *const *pictures, size_t count, struct trace_follow **follow);
void trace_follow_destroy(struct trace_follow **follow);

// What a drain is given. It is called by one thread at a time.
struct trace_sink trace_follow_sink(struct trace_follow *follow);

// Ends what is still open at that time, and reports what is missing.
struct trace_ending trace_follow_end(struct trace_follow *follow, uint64_t now, const char *what);

#endif
