// SPDX-License-Identifier: MIT
//
// What an event or a call says of itself, as values behind its record.

#ifndef TRACE_VALUES_H
#define TRACE_VALUES_H

#include <mezzanine/xpti_data.h>

#include "memory.h"
#include "record.h"

// Adds the event's metadata and the thread's stashed pair, as far as there is room.
void trace_values_put(
    const struct trace_memory *memory, union trace_any_record *record, mez_xpti_event *event);

// The dispatcher may have been reset: its numbers mean something else now.
// Thread-safety: safe.
void trace_values_forget(void);

// Adds the arguments of a call of Mezzanine or Level Zero, or how it went.
void trace_values_put_call(const struct trace_memory *memory, union trace_any_record *record,
    const mez_xpti_function *call);

#endif
