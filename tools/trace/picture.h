// SPDX-License-Identifier: MIT
//
// What happened, as pictures get it: in the order of time, with names instead of numbers. Strings and nodes are valid during
// the call.

#ifndef TRACE_PICTURE_H
#define TRACE_PICTURE_H

#include <stdio.h>

#include "base/error.h"
#include "drain.h"
#include "nodes.h"

enum trace_event_kind {
    TRACE_BEGIN,     // a thread begins something; every begin gets its end, the last begun first
    TRACE_END,       // it ends; `cut`: it did not get that far
    TRACE_INSTANT,   // a thread says something
    TRACE_NODE,      // a command is made
    TRACE_EDGE,      // `node` waits for `before`
    TRACE_SUBMIT,    // a thread hands the command to a device
    TRACE_EXECUTION, // a device ran it from `begin` to `time`; `cut`: it did not end
    TRACE_LOST,      // `number` events of the thread, for lack of room; or 0: its ring was damaged
    TRACE_GONE       // the thread has ended
};

struct trace_event {
    enum trace_event_kind kind;
    enum trace_stream stream;
    uint64_t time; // ns since the trace began
    const struct trace_thread *thread;
    const char *name;
    const char *what; // the sort of thing: "task", "wait", ...
    const char *file; // "": not known
    uint32_t line;
    uint64_t number;               // bytes
    const struct trace_node *node; // may be NULL
    const struct trace_node *before;
    uint64_t begin;
    bool measured; // an execution's times are the device's
    bool failed;   // it says that it has
    bool cut;
    const char *result; // of a call that failed
    // Arguments of a call: "first, second", and their values.
    const char *argument_names;
    const uint64_t *arguments;
    size_t argument_count;
};

// How the program ended, and what is missing.
struct trace_ending {
    const char *what; // "exited with 0"
    uint64_t time;
    uint64_t events;
    uint64_t lost;         // events
    uint64_t lost_strings; // names
    uint64_t lost_threads; // events of threads that got no ring
    uint64_t damaged;      // rings
    uint64_t going_on;     // processes that still ran when the trace ended
};

// A sort of thing that is missing: "events were lost".
struct trace_loss {
    uint64_t count;
    const char *what;
};

enum { TRACE_MOST_LOSSES = 5 };

// Returns how many sorts there are.
size_t trace_losses(const struct trace_ending *ending, struct trace_loss losses[TRACE_MOST_LOSSES]);

// A line for each of them.
void trace_print_losses(FILE *file, const struct trace_ending *ending);

// "list = 0x5581c0, count = 5", cut where there is no more room.
void trace_print_arguments(const struct trace_event *event, char *text, size_t size);

struct trace_picture {
    void (*draw)(struct trace_picture *picture, const struct trace_event *event);
    // The last call. MEZ_ERRC_FILE: not all of it could be written, then or earlier.
    mez_error (*finish)(struct trace_picture *picture, const struct trace_ending *ending);
    void (*destroy)(struct trace_picture *picture);
};

// Each writes to `file`, which stays yours; `name` is for errors. MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error trace_timeline_create(FILE *file, const char *name, struct trace_picture **picture);
mez_error trace_text_create(FILE *file, const char *name, struct trace_picture **picture);
mez_error trace_statistics_create(FILE *file, const char *name, struct trace_picture **picture);

// As DOT, or drawn by Graphviz, as SVG.
mez_error trace_graph_create(
    FILE *file, const char *name, bool drawn, struct trace_picture **picture);

// What `finish` of the others end with.
mez_error trace_picture_flush(FILE *file, const char *name);

#endif
