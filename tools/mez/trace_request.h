// SPDX-License-Identifier: MIT
//
// What `mez trace` is asked to do.

#ifndef TRACE_REQUEST_H
#define TRACE_REQUEST_H

#include <stddef.h>

#include "problem.h"
#include "session.h"

struct trace_output {
    const char *path; // NULL: stderr
    enum trace_format format;
};

struct trace_request {
    struct trace_output outputs[TRACE_MOST_PICTURES];
    size_t output_count;
    const char *detail;   // NULL: as the environment says
    char *const *program; // and its arguments; ends with NULL
};

// Strings are the arguments' own, and `arguments[count]` is NULL, as main gets them. Without any option the output is the timeline
// trace.json.
bool trace_request_read(
    struct trace_request *request, int count, char *const *arguments, struct problem *problem);

#endif
