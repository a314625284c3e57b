// SPDX-License-Identifier: MIT
//
// Calls and waits as trace points: calls of the library by the program, calls of the driver by the library, and spans, which are pairs
// of trace points around something that a thread does.
//
// Thread-safety: safe.

#ifndef MEZ_TRACE_CALL_H
#define MEZ_TRACE_CALL_H

#include <mezzanine/base.h>
#include <mezzanine/error.h>

#include "base/process.h"
#include "trace/probe.h"
#include "trace/trace.h"

// --- Spans

// Trace points that a span begins with. Its end has the next number.
enum { MEZ_TRACE_BARRIER = 12, MEZ_TRACE_WAIT = 22 };

// On the caller's stack.
typedef struct mez_trace_span {
    mez_trace_stream stream;
    uint16_t begin;               // the trace point
    struct mez_xpti_event *event; // NULL: nobody wants to know, or no memory
    uint64_t instance;
    const void *user_data;
} mez_trace_span;

// The event is called `what[object]`, as "queue.wait[0x55..]", which is also the user data, as in SYCL's streams.
__attribute__((cold)) void mez_trace_span_begin(mez_trace_span *span, uint16_t point,
    const mez_location *where, const char *what, const void *object);
__attribute__((cold)) void mez_trace_span_end(mez_trace_span *span);

// --- Calls of the driver

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

// --- Calls of the library
//
// Calls of the library by the program, as trace points. A public function has two bodies beside it: the one that does its work, and
// another which also notifies tools of the call.
//
//     MEZ_TRACE_BODY mez_error marker(
//         const mez_location *where, mez_queue *queue, const mez_task_params *task);
//
//     MEZ_TRACED_CALL(mez_marker, marker)
//
//     mez_error mez_marker_at(const mez_location *where, mez_queue *queue, const mez_task_params *task)
//     {
//         MEZ_REQUIRE(queue, where);
//         MEZ_TRACE_CALL(mez_marker, where, marker, where, queue, task);
//     }
//
// Nobody sees the end of a call that is not traced, which is why there are two: the first may end as if the other were not there, by
// jumping to another function, and needs no stack for the notification. Its only cost is the question whether somebody listens.
//
// A call that fails is also reported as a diagnostic, with its story, except for TIMEOUT and NOT_READY; one that is refused because
// something is NULL is not reported. What the library does for itself goes through functions that notify nobody.
//
// Functions with a quick path, which has no trace point, have their probes (probe.h) around both ways, and MEZ_TRACE_LONG in the
// long one.

#define MEZ_TRACE_MOST_VALUES 9

// On the caller's stack.
typedef struct mez_trace_call {
    const char *name;
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

// Reports a failure that no call returns, such as one that a handler is given.
__attribute__((cold)) void mez_trace_failure(mez_error error);

#define MEZ_TRACE_VALUE(x) (uint64_t)(uintptr_t)(x)
#define MEZ_TRACE_VALUES_1(a) MEZ_TRACE_VALUE(a)
#define MEZ_TRACE_VALUES_2(a, ...) MEZ_TRACE_VALUE(a), MEZ_TRACE_VALUES_1(__VA_ARGS__)
#define MEZ_TRACE_VALUES_3(a, ...) MEZ_TRACE_VALUE(a), MEZ_TRACE_VALUES_2(__VA_ARGS__)
#define MEZ_TRACE_VALUES_4(a, ...) MEZ_TRACE_VALUE(a), MEZ_TRACE_VALUES_3(__VA_ARGS__)
#define MEZ_TRACE_VALUES_5(a, ...) MEZ_TRACE_VALUE(a), MEZ_TRACE_VALUES_4(__VA_ARGS__)
#define MEZ_TRACE_VALUES_6(a, ...) MEZ_TRACE_VALUE(a), MEZ_TRACE_VALUES_5(__VA_ARGS__)
#define MEZ_TRACE_VALUES_7(a, ...) MEZ_TRACE_VALUE(a), MEZ_TRACE_VALUES_6(__VA_ARGS__)
#define MEZ_TRACE_VALUES_8(a, ...) MEZ_TRACE_VALUE(a), MEZ_TRACE_VALUES_7(__VA_ARGS__)
#define MEZ_TRACE_VALUES_9(a, ...) MEZ_TRACE_VALUE(a), MEZ_TRACE_VALUES_8(__VA_ARGS__)
#define MEZ_TRACE_PICK(a, b, c, d, e, f, g, h, i, values, ...) values
#define MEZ_TRACE_VALUES(...)                                                               \
    MEZ_TRACE_PICK(__VA_ARGS__, MEZ_TRACE_VALUES_9, MEZ_TRACE_VALUES_8, MEZ_TRACE_VALUES_7, \
        MEZ_TRACE_VALUES_6, MEZ_TRACE_VALUES_5, MEZ_TRACE_VALUES_4, MEZ_TRACE_VALUES_3,     \
        MEZ_TRACE_VALUES_2, MEZ_TRACE_VALUES_1, 0)                                          \
    (__VA_ARGS__)

#define MEZ_TRACE_ARGUMENTS(...)                                                               \
    (&(const mez_trace_arguments){.names = #__VA_ARGS__,                                       \
        .count = sizeof((const uint64_t[]){MEZ_TRACE_VALUES(__VA_ARGS__)}) / sizeof(uint64_t), \
        .values = (const uint64_t[]){MEZ_TRACE_VALUES(__VA_ARGS__)}})

// Defines body##_traced, which calls `body` and reports that as a call of `function` with its parameters as the public header
// declares them: those of `body` are the same. traced_calls.h, which is made of the headers, has one definition for each call; calls
// whose body has other parameters write their own, with MEZ_TRACE_NOTIFY.
#define MEZ_TRACED_CALL(function, body) MEZ_TRACED_CALL_##function(body)

// The same, and reports a span (trace/call.h) around the body: that of `point`, called `what`, of the call's first argument.
#define MEZ_TRACED_SPAN(function, body, point, what) MEZ_TRACED_SPAN_##function(body, point, what)

// A process without a driver takes the way of those who are traced, on which calls are refused (base/process.h). Builds without traces have
// no such way, and ask.
#ifdef MEZ_TRACING
#define mez_untraced_closed() false
#else
#define mez_untraced_closed() mez_process_is_closed()
#endif

#define MEZ_REFUSE_UNTRACED(function, where)          \
    do {                                              \
        if (mez_untraced_closed())                    \
            return mez_error_closed(where, function); \
    } while (0)

// The two bodies. Neither is inlined: compilers would else choose otherwise for two callers than for one, and both ways be longer.
#define MEZ_TRACE_BODY __attribute__((noinline)) static
#define MEZ_TRACE_COLD __attribute__((cold, noinline)) static

// Ends a function that notifies tools: calls `call`, which is a call of `function` with these 1 to 9 arguments, integers and pointers.
#define MEZ_TRACE_NOTIFY(function, where, call, ...)                                       \
    do {                                                                                   \
        MEZ_REFUSE_CLOSED(#function, where);                                               \
        mez_trace_call traced;                                                             \
        mez_trace_call_begin(&traced, #function, where, MEZ_TRACE_ARGUMENTS(__VA_ARGS__)); \
        return mez_trace_call_end(&traced, call);                                          \
    } while (0)

// The same with a span around the call.
#define MEZ_TRACE_NOTIFY_SPAN(point, what, object, function, where, call, ...)             \
    do {                                                                                   \
        MEZ_REFUSE_CLOSED(#function, where);                                               \
        mez_trace_call traced;                                                             \
        mez_trace_span span;                                                               \
        mez_trace_call_begin(&traced, #function, where, MEZ_TRACE_ARGUMENTS(__VA_ARGS__)); \
        mez_trace_span_begin(&span, point, where, what, object);                           \
        const mez_error error = call;                                                      \
        mez_trace_span_end(&span);                                                         \
        return mez_trace_call_end(&traced, error);                                         \
    } while (0)

// The same where nothing is returned.
#define MEZ_TRACE_NOTIFY_VOID(function, where, call, ...)                                  \
    do {                                                                                   \
        mez_trace_call traced;                                                             \
        mez_trace_call_begin(&traced, #function, where, MEZ_TRACE_ARGUMENTS(__VA_ARGS__)); \
        call;                                                                              \
        mez_trace_call_end(&traced, mez_ok());                                             \
    } while (0)

// Ends a public function: by body(...), or by body_traced(...) while somebody may listen. The two returns are two jumps; of one with
// a choice in it compilers make more.
#define MEZ_TRACE_CALL(function, where, body, ...)                            \
    do {                                                                      \
        MEZ_PROBE_CALL_BEGIN(function, where);                                \
        MEZ_REFUSE_UNTRACED(#function, where);                                \
        if (mez_trace_on(MEZ_TRACE_CALLS))                                    \
            return MEZ_PROBE_CALL_END(#function, body##_traced(__VA_ARGS__)); \
        return MEZ_PROBE_CALL_END(#function, body(__VA_ARGS__));              \
    } while (0)

// The same of a public function that destroys *object, which may be NULL, as `object` may.
#define MEZ_TRACE_DESTROY(function, where, body, object) \
    do {                                                 \
        if (!(object) || !*(object))                     \
            return;                                      \
        if (mez_untraced_closed()) {                     \
            *(object) = NULL;                            \
            return;                                      \
        }                                                \
        MEZ_PROBE_CALL_BEGIN(function, where);           \
        if (mez_trace_on(MEZ_TRACE_CALLS))               \
            body##_traced(where, object);                \
        else                                             \
            body(where, object);                         \
        (void)MEZ_PROBE_CALL_END(#function, mez_ok());   \
    } while (0)

// The same where the probes stand elsewhere, as a quick path has them, too.
#define MEZ_TRACE_LONG(body, ...)              \
    do {                                       \
        MEZ_REFUSE_UNTRACED(__func__, where);  \
        if (mez_trace_on(MEZ_TRACE_CALLS))     \
            return body##_traced(__VA_ARGS__); \
        return body(__VA_ARGS__);              \
    } while (0)

#endif
