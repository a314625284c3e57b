// SPDX-License-Identifier: MIT
//
// What a ring holds: one record for each notification that is kept. Everything is written as it is in memory, in words of eight
// bytes; both sides are built from this file.

#ifndef TRACE_RECORD_H
#define TRACE_RECORD_H

#include <stdint.h>
#include <time.h>

// The clock of all records, in ns: both sides compare its times.
static inline uint64_t trace_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * UINT64_C(1000000000) + (uint64_t)time.tv_nsec;
}

enum trace_stream {
    TRACE_STREAM_TASKS,      // the graph: nodes, edges, tasks, waits
    TRACE_STREAM_MEMORY,     // allocations
    TRACE_STREAM_EXECUTIONS, // what devices ran, and when
    TRACE_STREAM_CALLS,      // of Mezzanine
    TRACE_STREAM_DRIVER,     // calls of Level Zero
    TRACE_STREAM_OTHER,      // an application's own
    TRACE_STREAM_COUNT
};

// Followed by `values` values, each a trace_value and its bytes, padded to whole words.
struct trace_record {
    uint64_t time;  // CLOCK_MONOTONIC, ns
    uint16_t words; // of the whole record
    uint16_t type;  // the trace point's, as published
    uint8_t stream; // a trace_stream
    uint8_t values;
    uint16_t flags;  // TRACE_MEASURED, ...
    uint64_t object; // the event's unique id; 0: none
    uint64_t parent; // edges: where they come from
    // The same at the begin and the end of one thing; edges: where they go to; executions: their end.
    uint64_t instance;
    uint64_t number; // bytes of an allocation; executions: how long they took, ns
    uint32_t name;   // strings
    uint32_t file;
    uint32_t line;
    uint32_t text; // what the notification says itself: a kind, a function, a message
};

enum {
    TRACE_MEASURED = 1, // the device has measured the execution
    TRACE_FAILED = 2    // the execution, or the call
};

enum trace_value_type {
    TRACE_VALUE_BYTES,
    TRACE_VALUE_STRING,
    TRACE_VALUE_SIGNED,
    TRACE_VALUE_UNSIGNED,
    TRACE_VALUE_FLOAT,
    TRACE_VALUE_BOOL
};

struct trace_value {
    uint32_t key; // a string
    uint16_t type;
    uint16_t size; // of what follows; a string's number has 4, numbers 8
};

enum {
    TRACE_RECORD_WORDS = sizeof(struct trace_record) / sizeof(uint64_t),
    TRACE_MOST_WORDS = 512,     // of a record with its values
    TRACE_MOST_VALUE_BYTES = 80 // longer ones are left out
};

// A record with room for the longest.
union trace_any_record {
    struct trace_record record;
    uint64_t words[TRACE_MOST_WORDS];
};

_Static_assert(sizeof(struct trace_record) == 64, "whole words, no padding");
_Static_assert(sizeof(struct trace_value) == 8, "one word");

#endif
