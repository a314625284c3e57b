// SPDX-License-Identifier: MIT
//
// What a thread has begun and not ended, the last begun on top.

#ifndef TRACE_SLICES_H
#define TRACE_SLICES_H

#include <stdbool.h>
#include <stddef.h>

#include "record.h"

enum { TRACE_MOST_SLICES = 128 };

struct trace_slice {
    uint16_t type; // of the begin
    enum trace_stream stream;
    uint64_t object, instance;
    const char *name;
    uint64_t begin;
};

struct trace_slices {
    size_t count;
    struct trace_slice open[TRACE_MOST_SLICES];
};

bool trace_slices_are_full(const struct trace_slices *slices);

// Not where they are full.
void trace_slices_push(struct trace_slices *slices, const struct trace_slice *slice);

// NULL: nothing is open.
const struct trace_slice *trace_slices_last(const struct trace_slices *slices);
void trace_slices_pop(struct trace_slices *slices);

// How many slices the record of an end closes: that which it belongs to, and all above. 0: its begin is not there.
size_t trace_slices_above(const struct trace_slices *slices, const struct trace_record *end);

#endif
