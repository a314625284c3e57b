// SPDX-License-Identifier: MIT

#include "table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"

static struct trace_table_row *add_row(struct trace_table *table, const char *name)
{
    const bool is_last = table->count == TRACE_MOST_ROWS - 1;
    struct trace_table_row *row = mez_new(struct trace_table_row);
    if (row)
        row->name = mez_copy_string(is_last ? "(others)" : name);
    if (!row || !row->name) {
        mez_free_memory(row);
        return NULL;
    }
    table->rows[table->count++] = row;
    return row;
}

static struct trace_table_row *find_row(struct trace_table *table, const char *name)
{
    for (unsigned i = 0; i < table->count; i++)
        if (strcmp(table->rows[i]->name, name) == 0)
            return table->rows[i];
    if (table->count == TRACE_MOST_ROWS)
        return table->rows[TRACE_MOST_ROWS - 1];
    return add_row(table, name);
}

void trace_table_add(
    struct trace_table *table, const char *name, uint64_t nanoseconds, uint64_t bytes)
{
    struct trace_table_row *row = find_row(table, name);
    if (!row) {
        table->forgotten++;
        return;
    }
    trace_histogram_add(&row->durations, nanoseconds);
    row->bytes += bytes;
}

static int longest_first(const void *left, const void *right)
{
    const struct trace_table_row *a = *(struct trace_table_row *const *)left;
    const struct trace_table_row *b = *(struct trace_table_row *const *)right;
    return (a->durations.sum < b->durations.sum) - (a->durations.sum > b->durations.sum);
}

static void print_time(FILE *file, uint64_t nanoseconds)
{
    mez_print(file, " %12.3f", (double)nanoseconds / 1e3);
}

static void print_row(FILE *file, const struct trace_table_row *row)
{
    const struct trace_histogram *durations = &row->durations;
    mez_print(file, "%10" PRIu64, durations->count);
    print_time(file, durations->sum);
    print_time(file, durations->least);
    print_time(file, trace_histogram_quantile(durations, 500));
    print_time(file, trace_histogram_quantile(durations, 990));
    print_time(file, durations->greatest);
    if (row->bytes)
        mez_print(file, " %14" PRIu64, row->bytes);
    else
        mez_print(file, " %14s", "");
    mez_print(file, "  %s\n", row->name);
}

void trace_table_print(struct trace_table *table, FILE *file, const char *title)
{
    if (table->count == 0)
        return;
    qsort(table->rows, table->count, sizeof *table->rows, longest_first);
    mez_print(file, "%s, in us\n%10s %12s %12s %12s %12s %12s %14s  %s\n", title, "count", "total",
        "min", "median", "p99", "max", "bytes", "name");
    for (unsigned i = 0; i < table->count; i++)
        print_row(file, table->rows[i]);
    if (table->forgotten)
        mez_print(file, "%10" PRIu64 " more are not here for lack of memory\n", table->forgotten);
    fputc('\n', file);
}

void trace_table_finish(struct trace_table *table)
{
    for (unsigned i = 0; i < table->count; i++) {
        mez_free_memory(table->rows[i]->name);
        mez_free_memory(table->rows[i]);
    }
    *table = (struct trace_table){0};
}
