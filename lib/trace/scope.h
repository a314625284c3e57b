// SPDX-License-Identifier: MIT
//
// For this folder: what the thread is doing, as XPTI's universal id, for the layers below us. Ours give way to each other, the
// innermost wins; an id that a layer above us has set stays, as theirs is the place that the user knows.

#ifndef MEZ_TRACE_SCOPE_H
#define MEZ_TRACE_SCOPE_H

#include <stdint.h>

// Returns what to leave with.
uint64_t mez_trace_scope_enter(uint64_t id);
void mez_trace_scope_leave(uint64_t outer);

#endif
