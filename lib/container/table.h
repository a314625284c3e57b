// SPDX-License-Identifier: MIT
//
// File tables (.table): which code, property and symbol files belong together, one row per device image, as the published tools
// hand them to each other:
//
//     [Code|Properties|Symbols]
//     app_0.spv|app_0.prop|app_0.sym
//
// and symbol files (.sym): one entry point's name per line.
//
// Thread-safety: none; what is only read may be read by many threads.

#ifndef MEZ_CONTAINER_TABLE_H
#define MEZ_CONTAINER_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/bytes.h"
#include "base/check.h"
#include "base/vector.h"

#define MEZ_COLUMN_CODE "Code"
#define MEZ_COLUMN_PROPERTIES "Properties"
#define MEZ_COLUMN_SYMBOLS "Symbols"

#define MEZ_NO_COLUMN SIZE_MAX

// Zeroed memory is an empty table. What the pointers lead to belongs to the table.
typedef struct mez_table {
    bool titled;    // has a line of titles; else the columns are called "0", "1", ...
    size_t columns; // 0: nothing has been said about columns yet
    char **titles;  // `columns` of them
    size_t rows;
    char **cells;    // rows * columns; cells may be empty, never NULL
    size_t capacity; // of cells
} mez_table;

void mez_table_finish(mez_table *table);

// Reads a table into `table`, which is empty. `source` names it in messages. An empty text is an empty table.
//
// MEZ_ERRC_INVALID_IMAGE, with source and line:
//   "malformed title line"          begins with '[' and does not end with ']'
//   "duplicate column"              two titles are the same
//   "row size mismatch at line N"   more or fewer cells than columns
//   "far too many columns"          thousands: this is some other text
// MEZ_ERRC_OUT_OF_HOST_MEMORY. After an error the table is empty.
mez_error mez_table_read(const char *text, size_t size, const char *source, mez_table *table);

// The file of that path. MEZ_ERRC_FILE besides.
mez_error mez_table_load(const char *path, mez_table *table);

// Adds the text to `bytes`. MEZ_ERRC_INVALID_PARAMETER where a cell has a '|' or a line break in it, or a row would read as a
// title line.
mez_error mez_table_write(const mez_table *table, mez_bytes *bytes);

// MEZ_NO_COLUMN: no column of that name.
size_t mez_table_find_column(const mez_table *table, const char *title);

// Never NULL.
const char *mez_table_get(const mez_table *table, size_t row, size_t column);

// A column more, for a table without rows. MEZ_ERRC_INVALID_PARAMETER for a duplicate.
mez_error mez_table_add_column(mez_table *table, const char *title);

// A row more; `cells` are as many as there are columns, and are copied.
mez_error mez_table_add_row(mez_table *table, const char *const *cells);

// Takes a row out; those behind it move up.
void mez_table_remove_row(mez_table *table, size_t row);

// A cell's path as the process can open it: what is relative is relative to the table's own folder. NULL: no memory. To be
// given to mez_free_memory.
char *mez_table_resolve(const char *table_path, const char *cell);

// --- Symbol files

// Zeroed memory is an empty list. The names belong to the list.
typedef MEZ_VECTOR(char *) mez_symbols;

void mez_symbols_finish(mez_symbols *symbols);

// A copy of the name at the end.
mez_error mez_symbols_add(mez_symbols *symbols, const char *name, size_t length);

// One name per line; empty lines are skipped. MEZ_ERRC_INVALID_IMAGE for a NUL, MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_symbols_read(const char *text, size_t size, const char *source, mez_symbols *symbols);
mez_error mez_symbols_load(const char *path, mez_symbols *symbols);

// MEZ_ERRC_INVALID_PARAMETER for an empty name or a line break in one.
mez_error mez_symbols_write(const mez_symbols *symbols, mez_bytes *bytes);

#endif
