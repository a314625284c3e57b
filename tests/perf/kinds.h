// SPDX-License-Identifier: MIT
//
// Which kind of queue suits which program, on a driver that has all of them: launches between two waits, so many in each case, on a
// batched queue beside an immediate one. docs/performance.md draws the default from these figures.

#ifndef MEZ_PERF_KINDS_H
#define MEZ_PERF_KINDS_H

#include "ordinary.h"

// The cases, after everything that they need has been made.
const struct perf_case *perf_kinds_init(const struct perf_shared *shared, size_t *count);
void perf_kinds_finish(void);

#endif
