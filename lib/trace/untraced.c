// SPDX-License-Identifier: MIT
//
// In builds without tracing nothing calls these. Compilers that do not optimise keep the functions that would, and want them for
// those.

#include "trace/call.h"
#include "trace/graph.h"

void mez_trace_call_begin(mez_trace_call *call, const char *name, const mez_location *where,
    const mez_trace_arguments *arguments)
{
    (void)call, (void)name, (void)where, (void)arguments;
}

mez_error mez_trace_call_end(mez_trace_call *call, mez_error error)
{
    (void)call;
    return error;
}

void mez_trace_failure(mez_error error)
{
    (void)error;
}

void mez_trace_alloc_begin(const mez_trace_allocation *allocation)
{
    (void)allocation;
}

void mez_trace_alloc_end(const mez_trace_allocation *allocation, const void *pointer)
{
    (void)allocation, (void)pointer;
}

mez_trace_live mez_trace_free_begin(const void *pointer)
{
    return (mez_trace_live){.pointer = pointer};
}

void mez_trace_free_end(
    mez_trace_live live, const mez_location *where, const void *pointer, bool freed)
{
    (void)live, (void)where, (void)pointer, (void)freed;
}

void mez_trace_span_begin(mez_trace_span *span, uint16_t point, const mez_location *where,
    const char *what, const void *object)
{
    (void)span, (void)point, (void)where, (void)what, (void)object;
}

void mez_trace_span_end(mez_trace_span *span)
{
    (void)span;
}
