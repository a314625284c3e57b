// SPDX-License-Identifier: MIT
//
// Reads the values behind a record, which may be damaged: what does not lie wholly in the record is not there.

#ifndef TRACE_READ_VALUES_H
#define TRACE_READ_VALUES_H

#include "memory.h"
#include "record.h"

struct trace_value_reader {
    const struct trace_memory *memory;
    const uint64_t *words;
    size_t left; // words
    unsigned values;
};

struct trace_read_value {
    const char *key;
    enum trace_value_type type;
    const char *text;  // of a string; else ""
    uint64_t number;   // of the others, their first eight bytes
    const void *bytes; // of all
    size_t size;
};

// `record->words` words have to be there.
struct trace_value_reader trace_read_values(
    const struct trace_memory *memory, const struct trace_record *record);

// False: there is none any more.
bool trace_read_value(struct trace_value_reader *reader, struct trace_read_value *value);

#endif
