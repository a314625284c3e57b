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
#include "base/error.h"
#include "base/vector.h"
#include "container/properties.h"

#define MEZ_COLUMN_CODE "Code"
#define MEZ_COLUMN_PROPERTIES "Properties"
#define MEZ_COLUMN_SYMBOLS "Symbols"

#define MEZ_NO_COLUMN SIZE_MAX

// Zeroed memory is an empty table. What the pointers lead to belongs to the table.
typedef struct mez_table {
    bool titled;               // has a line of titles; else the columns are called "0", "1", ...
    MEZ_VECTOR(char *) titles; // none: nothing has been said about columns yet
    size_t rows;
    MEZ_VECTOR(char *) cells; // rows times columns; cells may be empty, never NULL
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

// --- Tables with their files
//
// Device images as files, as sycl-post-link writes them: for OUT.table the code of an image in OUT_0.spv, its properties in
// OUT_0.prop, its kernels in OUT_0.sym, and the table that says which belong together.
//
//     mez_table_output output;
//     mez_error error = mez_table_output_init("app.table", &output);
//     for each image, while there is no error
//         error = mez_table_output_add(&output, &image);
//     if (!mez_failed(error))
//         error = mez_table_output_commit(&output);
//     mez_table_output_finish(&output);
//
// Files are written under other names and get their own ones in the end, the table last: whoever finds it finds all files. Without
// that, or where one does not get its name, whatever was written is gone again, and what was there before is there.
//
// Thread-safety: none; two writers of one table get in each other's way.

// A file that has been written, by all names that it needs.
typedef struct mez_output_file {
    char *path, *aside;
    char *before; // what was there under its name before, while files take their places
    bool existed; // something was
    bool kept;    // and has the second name
    bool placed;  // the file has its own name
} mez_output_file;

typedef struct mez_table_output {
    const char *path; // of the table; the caller's
    char *stem;       // of all files: "folder/app" for "folder/app.table"
    mez_table table;
    MEZ_VECTOR(mez_output_file) files;
} mez_table_output;

// All is the caller's, and needed for the call only.
typedef struct mez_table_image {
    const char *name;   // behind the stem and a '_': "0"
    const char *ending; // of the code's file: ".spv"
    const void *code;
    size_t code_size;
    const mez_properties *properties;
    const char *const *kernels;
    size_t kernel_count;
} mez_table_image;

// `path` must outlive the output, which is to be finished in any case. MEZ_ERRC_INVALID_PARAMETER: something that is not a regular
// file is there, such as /dev/null. MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_table_output_init(const char *path, mez_table_output *output);

// A row more. MEZ_ERRC_FILE: a file can't be written, with the system's reason. MEZ_ERRC_INVALID_PARAMETER: a name that the forms
// can't hold. MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_table_output_add(mez_table_output *output, const mez_table_image *image);

// Gives all files their names. Errors as above; files that were there before are there again then, except that without hard links
// some may have been replaced.
mez_error mez_table_output_commit(mez_table_output *output);

void mez_table_output_finish(mez_table_output *output);

#endif
