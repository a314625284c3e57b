// SPDX-License-Identifier: MIT
//
// What the environment says of traces, whoever makes their memory: MEZ_TRACE_BUFFER, how large the rings are, in MiB for each thread,
// and MEZ_TRACE_DETAIL, how much is reported of commands.

#ifndef TRACE_SETTINGS_H
#define TRACE_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct trace_settings {
    size_t ring_words; // a power of two
    uint8_t detail;    // MEZ_XPTI_DETAIL_*
};

enum { TRACE_SETTINGS_PROBLEM = 160 };

// `detail` takes the place of MEZ_TRACE_DETAIL; NULL: it doesn't. False: a value is invalid, and `problem` says which.
bool trace_settings_read(
    struct trace_settings *settings, const char *detail, char problem[TRACE_SETTINGS_PROBLEM]);

#define TRACE_DETAILS "basic, normal or verbose"

// False: the name is none of these.
bool trace_detail_of(const char *name, uint8_t *level);

#endif
