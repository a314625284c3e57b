// SPDX-License-Identifier: MIT
//
// Rows for what devices run: a queue has as many as run beside each other, and in each row one thing ends before the next begins.

#ifndef TRACE_LANES_H
#define TRACE_LANES_H

#include <stdbool.h>
#include <stdint.h>

enum { TRACE_MOST_LANES = 1024 }; // of all queues; what comes later shares the last one

struct trace_lane {
    uint32_t process;
    uint64_t queue;
    unsigned row;    // in its queue, from 0
    uint64_t end;    // of the last in it
    uint64_t number; // from 1
};

struct trace_lanes {
    unsigned count;
    struct trace_lane lanes[TRACE_MOST_LANES];
};

// The lane for something that runs then; *is_new: it had none before. A `begin` that lies within the last of a full table is moved
// to its end.
const struct trace_lane *trace_lanes_find(struct trace_lanes *lanes, uint32_t process,
    uint64_t queue, uint64_t *begin, uint64_t end, bool *is_new);

#endif
