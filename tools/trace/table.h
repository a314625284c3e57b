// SPDX-License-Identifier: MIT
//
// Durations by name, as a table for people.

#ifndef TRACE_TABLE_H
#define TRACE_TABLE_H

#include <stdbool.h>
#include <stdio.h>

#include "histogram.h"

enum { TRACE_MOST_ROWS = 256 }; // names that come later are counted together

struct trace_table_row {
    char *name;
    uint64_t bytes;
    struct trace_histogram durations;
};

// Zero is empty.
struct trace_table {
    unsigned count;
    // The last one, if all are there, is that of the others.
    struct trace_table_row *rows[TRACE_MOST_ROWS];
    uint64_t forgotten; // for lack of memory
};

void trace_table_add(
    struct trace_table *table, const char *name, uint64_t nanoseconds, uint64_t bytes);

// Prints it, the longest total first; nothing where it is empty. Sorts it: nothing can be added afterwards.
void trace_table_print(struct trace_table *table, FILE *file, const char *title);

void trace_table_finish(struct trace_table *table);

#endif
