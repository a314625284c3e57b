// SPDX-License-Identifier: MIT
//
// XPTI as this folder and queue/traced*.c use it: the dispatcher's streams, and its events.
//
// Thread-safety: safe.

#ifndef MEZ_TRACE_XPTI_H
#define MEZ_TRACE_XPTI_H

#include <stdbool.h>

#include <mezzanine/base.h>
#include <mezzanine/xpti.h>

#include "base/process.h"
#include "trace/trace.h"

// --- Streams

static inline mez_xpti_stream mez_trace_id(mez_trace_stream stream)
{
    return atomic_load_explicit(&mez_trace_ids[stream], memory_order_relaxed);
}

// Does anybody want this trace point now?
bool mez_trace_wanted(mez_trace_stream stream, uint16_t point);

// Where tasks are reported: the stream for debugging as soon as somebody subscribes to that.
mez_trace_stream mez_trace_tasks_stream(void);

// How much metadata its subscribers want: MEZ_XPTI_DETAIL_*.
uint8_t mez_trace_detail(mez_trace_stream stream);

void mez_trace_notify(mez_trace_stream stream, uint16_t point, mez_xpti_event *event,
    uint64_t instance, const void *user_data);

// What the thread is doing, as XPTI's universal id, for the layers below us. Ours give way to each other, the innermost wins; an id
// that a layer above us has set stays, as theirs is the place that the user knows. Entering returns what to leave with.
uint64_t mez_trace_scope_enter(uint64_t id);
void mez_trace_scope_leave(uint64_t outer);

// --- Events
//
// Each is a visit of a place in the program.

// How a place that the program did not pass is called, the same in payloads and in metadata.
static inline const char *mez_trace_file(const mez_location *where)
{
    return where && where->file ? where->file : "unknown_file";
}

static inline const char *mez_trace_function(const mez_location *where)
{
    return where && where->function ? where->function : "unknown_func";
}

// A new one. Calls from the same place with the same name are visits of the same location, numbered by *instance. An unknown place
// is "unknown_file", line 0. NULL: the dispatcher has no memory. To be given to xptiReleaseEvent.
mez_xpti_event *mez_trace_make_event(
    const char *name, const mez_location *where, uint64_t *instance);

// Metadata. Values live as long as the process: a dispatcher keeps each different one.
void mez_trace_add_text(mez_xpti_event *event, const char *key, const char *value);
void mez_trace_add_unsigned(mez_xpti_event *event, const char *key, uint64_t value);
void mez_trace_add_signed(mez_xpti_event *event, const char *key, int32_t value);
void mez_trace_add_boolean(mez_xpti_event *event, const char *key, bool value);
void mez_trace_add_binary(mez_xpti_event *event, const char *key, const void *data, size_t size);

// --- MEZ_TRACE
//
// For this folder: MEZ_TRACE=FILE, in place of XPTI's own variables. It has our dispatcher load our recorder, which writes the file;
// both stand in a folder beside the library. Under `mez trace`, which sets XPTI's variables, there is nothing to do.

typedef struct mez_trace_environment {
    bool set;          // something was
    char *subscribers; // XPTI_SUBSCRIBERS as it was; NULL: not set
    char *dispatcher;  // the same of XPTI_FRAMEWORK_DISPATCHER
} mez_trace_environment;

// Sets what MEZ_TRACE stands for, until it is put back. What is missing is logged.
void mez_trace_environment_set(mez_trace_environment *before);
void mez_trace_environment_put_back(mez_trace_environment *before);

#endif
