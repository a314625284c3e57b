// SPDX-License-Identifier: MIT
//
// Static probes for perf, bpftrace, SystemTap and gdb, in builds with -Dusdt=enabled; docs/tracing.md lists them. Each is a nop that
// such a tool replaces, so that it fires whether or not a dispatcher is loaded, on quick paths too. In other builds they are nothing,
// and their arguments are not evaluated: these must have no side effects.
//
// Thread-safety: safe.

#ifndef MEZ_TRACE_PROBE_H
#define MEZ_TRACE_PROBE_H

#include <mezzanine/error.h>

// Is the failure more than an answer that the call exists to give?
static inline bool mez_trace_is_news(mez_error error)
{
    return mez_failed(error) && !mez_error_is(error, MEZ_ERRC_TIMEOUT) &&
           !mez_error_is(error, MEZ_ERRC_NOT_READY);
}

#ifdef MEZ_USDT

#include <sys/sdt.h>

// Of macros in sys/sdt.h, wherever a probe stands.
#ifdef __clang__
#pragma clang diagnostic ignored "-Wgnu-zero-variadic-macro-arguments"
#endif

// 1 to 5 integers and pointers, strings among them.
#define MEZ_PROBE(name, ...)                                                             \
    MEZ_PROBE_PICK(                                                                      \
        __VA_ARGS__, STAP_PROBE5, STAP_PROBE4, STAP_PROBE3, STAP_PROBE2, STAP_PROBE1, 0) \
    (mezzanine, name, __VA_ARGS__)
#define MEZ_PROBE_PICK(a, b, c, d, e, probe, ...) probe

// The failure as the probe `error`, unless it is an answer that the call exists to give.
__attribute__((cold)) void mez_probe_failure(const char *function, mez_error error);

static inline const char *mez_probe_file(const mez_location *where)
{
    return where ? where->file : NULL;
}

static inline int mez_probe_line(const mez_location *where)
{
    return where ? where->line : 0;
}

#define MEZ_PROBE_FAILURE(function, error)          \
    do                                              \
        if (__builtin_expect(mez_failed(error), 0)) \
            mez_probe_failure(function, error);     \
    while (0)

static inline mez_error mez_probe_call_end(const char *function, mez_error error)
{
    MEZ_PROBE_FAILURE(function, error);
    MEZ_PROBE(call__end, function, error.value);
    return error;
}

static inline mez_error mez_probe_wait_end(
    const char *function, const void *object, mez_error error)
{
    MEZ_PROBE(wait__end, object, error.value);
    return mez_probe_call_end(function, error);
}

// Around a call of the library: its name and place, and the name in a string and the error that is returned.
#define MEZ_PROBE_CALL_BEGIN(function, where) \
    MEZ_PROBE(call__begin, #function, mez_probe_file(where), mez_probe_line(where))
#define MEZ_PROBE_CALL_END(function, error) mez_probe_call_end(function, error)

// The same around a wait for a queue or an event.
#define MEZ_PROBE_WAIT_BEGIN(function, where, object, timeout) \
    MEZ_PROBE_CALL_BEGIN(function, where);                     \
    MEZ_PROBE(wait__begin, object, timeout)
#define MEZ_PROBE_WAIT_END(function, object, error) mez_probe_wait_end(function, object, error)

#else

#define MEZ_PROBE(name, ...) ((void)0)
#define MEZ_PROBE_CALL_BEGIN(function, where) ((void)0)
#define MEZ_PROBE_CALL_END(function, error) (error)
#define MEZ_PROBE_WAIT_BEGIN(function, where, object, timeout) ((void)0)
#define MEZ_PROBE_FAILURE(function, error) ((void)0)
#define MEZ_PROBE_WAIT_END(function, object, error) (error)

#endif

#endif
