// SPDX-License-Identifier: MIT
//
// Where the records of this process go.
//
//   MEZ_TRACE_MEMORY=PATH   the memory that `mez trace` made, as /proc/PROCESS/fd/FILE
//   MEZ_TRACE=FILE          else: memory of our own, and a writer of our own that makes FILE of it
//
// The writer is a process: it goes on when this one aborts or is killed, and the application's process loads no library that
// writes pictures.

#ifndef TRACE_ATTACH_H
#define TRACE_ATTACH_H

#include "memory.h"

// Finds the memory, once. False: there is none, which has been reported on stderr.
// Thread-safety: safe.
bool trace_attach(void);

// NULL before trace_attach, and when there is none.
const struct trace_memory *trace_attached(void);

// The trace of the process that forked this one has been written, and takes nothing more; this is reported on stderr.
bool trace_is_over(void);

#endif
