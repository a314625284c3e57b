// SPDX-License-Identifier: MIT
//
// The process that writes the trace of a program that nobody else writes.

#ifndef TRACE_SPAWN_WRITER_H
#define TRACE_SPAWN_WRITER_H

#include <stdbool.h>
#include <sys/types.h>

// Starts mez-trace-writer, which lies beside this library, on the open memory. It is not our child, so that no wait of the
// application meets it. Its process; 0 or less with errno: it could not be started.
pid_t trace_spawn_writer(const char *output, int memory);

bool trace_writer_lives(pid_t writer);

#endif
