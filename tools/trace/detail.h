// SPDX-License-Identifier: MIT
//
// How much a trace tells of each command: MEZ_TRACE_DETAIL.

#ifndef TRACE_DETAIL_H
#define TRACE_DETAIL_H

#include <stdbool.h>
#include <stdint.h>

#define TRACE_DETAILS "basic, normal or verbose"

// The level, MEZ_XPTI_DETAIL_*, for the variable's text, which may be NULL. False: it has no meaning.
bool trace_detail_of(const char *text, uint8_t *level);

#endif
