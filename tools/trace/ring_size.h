// SPDX-License-Identifier: MIT
//
// How large rings are: MEZ_TRACE_BUFFER, in MiB for each thread.

#ifndef TRACE_RING_SIZE_H
#define TRACE_RING_SIZE_H

#include <stdbool.h>
#include <stddef.h>

enum { TRACE_LEAST_BUFFER = 1, TRACE_DEFAULT_BUFFER = 4, TRACE_MOST_BUFFER = 1024 };

// Words of a ring for the variable's text, which may be NULL. False: it has no meaning.
bool trace_buffer_words(const char *text, size_t *words);

#endif
