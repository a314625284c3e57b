// SPDX-License-Identifier: MIT
//
// Calls of the library by the program, as trace points.
//
//     mez_error mez_barrier_at(const mez_location *where, mez_queue *queue, const mez_task_params *task)
//     {
//         MEZ_REQUIRE(queue, where);
//         MEZ_TRACE_BEGIN(mez_barrier, where, queue, task);
//         return MEZ_TRACE_END(barrier(where, queue, task));
//     }
//
// Nothing returns in between. A call that fails is told of as a diagnostic, too, with its story, but for TIMEOUT and NOT_READY; one
// that is refused because something is NULL is not told of.
//
// Functions with a quick path, which has no trace point, have their probes (probe.h) around both ways, and MEZ_TRACE_LONG_BEGIN and
// _END in the long one.
//
// Thread-safety: safe.

#ifndef MEZ_TRACE_CALL_H
#define MEZ_TRACE_CALL_H

#include <mezzanine/error.h>

#include "trace/probe.h"
#include "trace/trace.h"

#define MEZ_TRACE_MOST_VALUES 8

// On the caller's stack.
typedef struct mez_trace_call {
    const char *name; // NULL: tracing was off when it began
    mez_trace_arguments arguments;
    uint64_t values[MEZ_TRACE_MOST_VALUES];
    struct mez_xpti_event *event; // NULL: nobody wants to know, or no memory
    uint64_t instance;
    uint64_t began;
    uint64_t outer; // scope of the thread
} mez_trace_call;

// The names live as long as the process; values are copied.
__attribute__((cold)) void mez_trace_call_begin(mez_trace_call *call, const char *name,
    const mez_location *where, const mez_trace_arguments *arguments);
// Returns the error.
__attribute__((cold)) mez_error mez_trace_call_end(mez_trace_call *call, mez_error error);

#define MEZ_TRACE_VALUE(x) (uint64_t)(uintptr_t)(x)
#define MEZ_TRACE_VALUES_1(a) MEZ_TRACE_VALUE(a)
#define MEZ_TRACE_VALUES_2(a, ...) MEZ_TRACE_VALUE(a), MEZ_TRACE_VALUES_1(__VA_ARGS__)
#define MEZ_TRACE_VALUES_3(a, ...) MEZ_TRACE_VALUE(a), MEZ_TRACE_VALUES_2(__VA_ARGS__)
#define MEZ_TRACE_VALUES_4(a, ...) MEZ_TRACE_VALUE(a), MEZ_TRACE_VALUES_3(__VA_ARGS__)
#define MEZ_TRACE_VALUES_5(a, ...) MEZ_TRACE_VALUE(a), MEZ_TRACE_VALUES_4(__VA_ARGS__)
#define MEZ_TRACE_VALUES_6(a, ...) MEZ_TRACE_VALUE(a), MEZ_TRACE_VALUES_5(__VA_ARGS__)
#define MEZ_TRACE_VALUES_7(a, ...) MEZ_TRACE_VALUE(a), MEZ_TRACE_VALUES_6(__VA_ARGS__)
#define MEZ_TRACE_VALUES_8(a, ...) MEZ_TRACE_VALUE(a), MEZ_TRACE_VALUES_7(__VA_ARGS__)
#define MEZ_TRACE_PICK(a, b, c, d, e, f, g, h, values, ...) values
#define MEZ_TRACE_VALUES(...)                                                               \
    MEZ_TRACE_PICK(__VA_ARGS__, MEZ_TRACE_VALUES_8, MEZ_TRACE_VALUES_7, MEZ_TRACE_VALUES_6, \
        MEZ_TRACE_VALUES_5, MEZ_TRACE_VALUES_4, MEZ_TRACE_VALUES_3, MEZ_TRACE_VALUES_2,     \
        MEZ_TRACE_VALUES_1, 0)                                                              \
    (__VA_ARGS__)

#define MEZ_TRACE_ARGUMENTS(...)                                                               \
    (&(const mez_trace_arguments){.names = #__VA_ARGS__,                                       \
        .count = sizeof((const uint64_t[]){MEZ_TRACE_VALUES(__VA_ARGS__)}) / sizeof(uint64_t), \
        .values = (const uint64_t[]){MEZ_TRACE_VALUES(__VA_ARGS__)}})

// A call of `function` with 1 to 8 arguments, which are integers and pointers.
#define MEZ_TRACE_LONG_BEGIN(function, where, ...) \
    mez_trace_call traced_call;                    \
    traced_call.name = NULL;                       \
    if (mez_trace_on(MEZ_TRACE_CALLS))             \
    mez_trace_call_begin(&traced_call, #function, where, MEZ_TRACE_ARGUMENTS(__VA_ARGS__))

static inline mez_error mez_trace_end(mez_trace_call *call, mez_error error)
{
    return MEZ_TRACED(call->name) ? mez_trace_call_end(call, error) : error;
}

#define MEZ_TRACE_LONG_END(error) mez_trace_end(&traced_call, error)

// The same with probes.
#define MEZ_TRACE_BEGIN(function, where, ...) \
    MEZ_PROBE_CALL_BEGIN(function, where);    \
    MEZ_PROBE_NAME(traced_function, function) \
    MEZ_TRACE_LONG_BEGIN(function, where, __VA_ARGS__)
#define MEZ_TRACE_END(error) MEZ_PROBE_CALL_END(traced_function, MEZ_TRACE_LONG_END(error))

#endif
