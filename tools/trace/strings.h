// SPDX-License-Identifier: MIT
//
// Strings of a trace: each is written to the shared memory once, and records name it by a number. 0 is the empty string, which
// also stands for what is missing.

#ifndef TRACE_STRINGS_H
#define TRACE_STRINGS_H

#include "memory.h"

enum { TRACE_MOST_STRING = 4095 }; // longer ones are cut

// The string's number; 0 for NULL, for "", and where there is no room, which is counted.
// Thread-safety: safe, also between processes; takes no lock.
uint32_t trace_string_intern(const struct trace_memory *memory, const char *text);

// For the writer: the string of a number, which may be anything; "" for what is none. Valid as long as the memory is mapped.
const char *trace_string_get(const struct trace_memory *memory, uint32_t number);

// The same for a file's name: "" also for what stands for a place that is not known.
const char *trace_file_get(const struct trace_memory *memory, uint32_t number);

#endif
