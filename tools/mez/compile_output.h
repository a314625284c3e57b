// SPDX-License-Identifier: MIT
//
// The files that `mez compile` leaves behind.

#ifndef COMPILE_OUTPUT_H
#define COMPILE_OUTPUT_H

#include <mezzanine/compile.h>

#include "compile_request.h"

// The path that is asked for, or beside the input what the format is called; for mez_free_memory. NULL: no memory.
char *compile_output_path(const struct compile_request *request);

// Refuses an output or a list of files that would be written over the source or over each other, whatever their names,
// and an output that a list can't have: MEZ_ERRC_INVALID_PARAMETER.
mez_error compile_output_check(const struct compile_request *request, const char *path);
// Likewise for all files that were read.
mez_error compile_output_check_files(
    const struct compile_request *request, const char *path, const mez_compilation *compilation);

// Writes the code in its form, and the list of files. Nothing is seen of them before both are written, and what was there stays
// after an error. MEZ_ERRC_FILE, MEZ_ERRC_INVALID_PARAMETER, MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error compile_output_write(
    const struct compile_request *request, const char *path, const mez_compilation *compilation);

// The list of files alone, for an output that somebody else writes.
mez_error compile_output_write_list(
    const struct compile_request *request, const char *path, const mez_compilation *compilation);

#endif
