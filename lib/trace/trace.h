// SPDX-License-Identifier: MIT
//
// Notifying tools through XPTI of what the library does: whether anybody wants to know. <mezzanine/trace.h> lists the trace points.
//
//     if (mez_trace_on(MEZ_TRACE_CALLS))
//         notify();
//
// Off, that is a load and a branch; what it guards is cold and out of line. It is on from the moment a dispatcher is loaded,
// which happens once in a process, before the first context is made. Tools may switch the dispatcher off and on again, and come to
// a stream late: each notification asks the dispatcher for that.
//
// This folder is below all others but base: it is given names, places and addresses, and knows nothing of what they mean.
//
// Thread-safety: safe.

#ifndef MEZ_TRACE_TRACE_H
#define MEZ_TRACE_TRACE_H

#include <stdatomic.h>
#include <stddef.h>

#include <mezzanine/trace.h>

#include "base/process.h"

typedef enum mez_trace_stream {
    MEZ_TRACE_TASKS,
    MEZ_TRACE_MEMORY,
    MEZ_TRACE_DEVICE,
    MEZ_TRACE_CALLS,
    MEZ_TRACE_ZE,
    MEZ_TRACE_TASKS_DEBUG, // never asked for: it takes the place of the first
    MEZ_TRACE_STREAMS
} mez_trace_stream;

// Reports something that went wrong, in a line for people.
__attribute__((cold)) void mez_trace_diagnostics(const char *message);

// Does MEZ_TRACE ask for what is loaded, so that XPTI's variables have to be set?
bool mez_trace_setup_is_ours(const mez_trace_setup *setup);

#ifdef MEZ_TRACING

// The dispatcher's number of each stream; 0: there is no dispatcher.
MEZ_HIDDEN extern atomic_uchar mez_trace_ids[MEZ_TRACE_STREAMS];

static inline bool mez_trace_on(mez_trace_stream stream)
{
    return __builtin_expect(
        atomic_load_explicit(&mez_trace_ids[stream], memory_order_relaxed) != 0, 0);
}

// Loads the dispatcher that the environment names and announces the streams; the first call does. Not with locks held: this calls
// the subscribers.
void mez_trace_open(void);

// From now on no quick way is taken that asks whether somebody listens, and nobody does: the process has no driver any more.
void mez_trace_divert(void);

// Is there something to report, here a queue or an event?
#define MEZ_TRACED(pointer) __builtin_expect((pointer) != NULL, 0)

#else

// Constants, so that what they guard vanishes before anybody asks where it is.
#define mez_trace_on(stream) false
#define MEZ_TRACED(pointer) false
#define mez_trace_open() ((void)0)
#define mez_trace_divert() ((void)0)

#endif

#endif
