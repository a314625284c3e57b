// SPDX-License-Identifier: MIT
//
// Calls of the driver as trace points.
//
// Thread-safety: safe.

#ifndef MEZ_TRACE_NATIVE_H
#define MEZ_TRACE_NATIVE_H

#include "trace/trace.h"

// On the caller's stack.
typedef struct mez_trace_native {
    const char *name;
    const mez_trace_arguments *arguments;
    uint64_t instance; // 0: nobody wants to know
    uint64_t began;
} mez_trace_native;

// Name and arguments must live until the end.
void mez_trace_native_begin(
    mez_trace_native *call, const char *name, const mez_trace_arguments *arguments);
// Returns the result, a ze_result_t.
int32_t mez_trace_native_end(const mez_trace_native *call, int32_t result);

#endif
