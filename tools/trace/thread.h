// SPDX-License-Identifier: MIT
//
// Which ring a thread writes to.

#ifndef TRACE_THREAD_H
#define TRACE_THREAD_H

#include "memory.h"

// The calling thread's ring, claimed at its first event and given back when it ends. -1: there is none, which is counted.
// Thread-safety: safe.
int trace_thread_ring(const struct trace_memory *memory);

// Before the first use: makes threads give their rings back, and processes that are forked take rings of their own.
void trace_thread_prepare(void);

#endif
