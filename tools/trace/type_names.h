// SPDX-License-Identifier: MIT
//
// The published types of trace points.

#ifndef TRACE_TYPE_NAMES_H
#define TRACE_TYPE_NAMES_H

#include <stdbool.h>
#include <stdint.h>

// The sort of thing, the same for its begin and its end: "task". "user-defined" for what is not published.
const char *trace_type_name(uint16_t type);

// Has it a begin and an end? The end is the odd one.
bool trace_type_is_pair(uint16_t type);

#endif
