// SPDX-License-Identifier: MIT
//
// Making pictures of a memory while programs write to it.
//
//     trace_session_create(&memory, &session);
//     trace_session_add(session, "trace.json", TRACE_TIMELINE);
//     ... start the program
//     while (it runs)
//         trace_session_drain(session);
//     trace_session_finish(session, "exited with 0", &ending);
//     trace_session_destroy(&session);
//
// Thread-safety: one thread at a time.

#ifndef TRACE_SESSION_H
#define TRACE_SESSION_H

#include <sys/types.h>

#include "picture.h"

enum trace_format {
    TRACE_TIMELINE,
    TRACE_DOT,
    TRACE_SVG,
    TRACE_STATISTICS,
    TRACE_TEXT,
    TRACE_FORMATS
};

// By the end of a file's name: .json, .dot, .svg, .stats, .txt. TRACE_FORMATS: none of them.
enum trace_format trace_format_of(const char *path);

struct trace_session;

// The trace begins now. The memory has to outlive it. MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error trace_session_create(const struct trace_memory *memory, struct trace_session **session);
void trace_session_destroy(struct trace_session **session);

enum { TRACE_MOST_PICTURES = 8 };

// Before the first drain: what to make of it. `path` NULL: it goes to stderr. MEZ_ERRC_FILE: it
// can't be made, another trace is being written to it, or TRACE_FORMATS was asked for; MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error trace_session_add(
    struct trace_session *session, const char *path, enum trace_format format);

// The same, once, for the only program of this session: see trace_output_open_own. The pattern's end says what to make.
mez_error trace_session_add_own(struct trace_session *session, const char *pattern, pid_t process);

// Takes what is in the rings, except for the last moment. Returns how many records there were.
size_t trace_session_drain(struct trace_session *session);

// Takes the rest, closes what is open, and ends the pictures. `what`: how the program ended. The first error of a picture; the others
// are finished all the same.
mez_error trace_session_finish(
    struct trace_session *session, const char *what, struct trace_ending *ending);

#endif
