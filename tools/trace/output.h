// SPDX-License-Identifier: MIT
//
// The files that traces are written to. One is locked as long as it is open: two writers of one file would leave neither's trace.
//
// Thread-safety: safe.

#ifndef TRACE_OUTPUT_H
#define TRACE_OUTPUT_H

#include <stdio.h>
#include <sys/types.h>

#include "base/error.h"

// Opens a file and empties it; close it with fclose. MEZ_ERRC_FILE: it can't be opened, or another trace is being written to it.
mez_error trace_output_open(const char *path, FILE **file);

// The same for one of several programs that have been given the same name: %p in it stands for the process's number. Where another
// trace is being written to that file, the number is put before the ending; and it is said on stderr where the file had something,
// or is not the one that was asked for. *name is its name, for mez_free_memory; NULL after an error. MEZ_ERRC_OUT_OF_HOST_MEMORY besides.
mez_error trace_output_open_own(const char *pattern, pid_t process, FILE **file, char **name);

// The name that is tried in the given turn: 0, 1 and so on. Free it with mez_free_memory; NULL: no memory.
char *trace_output_name(const char *pattern, pid_t process, unsigned turn);

#endif
