// SPDX-License-Identifier: MIT
//
// For this folder and queue/traced*.c: XPTI's events, each a visit of a place in the program.
//
// Thread-safety: safe.

#ifndef MEZ_TRACE_EVENT_H
#define MEZ_TRACE_EVENT_H

#include <mezzanine/base.h>
#include <mezzanine/xpti.h>

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

#endif
