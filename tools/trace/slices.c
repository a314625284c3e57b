// SPDX-License-Identifier: MIT

#include "slices.h"

bool trace_slices_are_full(const struct trace_slices *slices)
{
    return slices->count == TRACE_MOST_SLICES;
}

void trace_slices_push(struct trace_slices *slices, const struct trace_slice *slice)
{
    slices->open[slices->count++] = *slice;
}

const struct trace_slice *trace_slices_last(const struct trace_slices *slices)
{
    return slices->count ? &slices->open[slices->count - 1] : NULL;
}

void trace_slices_pop(struct trace_slices *slices)
{
    slices->count--;
}

static bool belongs(const struct trace_slice *slice, const struct trace_record *end)
{
    return (slice->type | 1) == end->type && slice->stream == (enum trace_stream)end->stream &&
           slice->object == end->object && slice->instance == end->instance;
}

size_t trace_slices_above(const struct trace_slices *slices, const struct trace_record *end)
{
    for (size_t i = slices->count; i > 0; i--)
        if (belongs(&slices->open[i - 1], end))
            return slices->count - (i - 1);
    return 0;
}
