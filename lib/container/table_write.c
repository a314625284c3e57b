// SPDX-License-Identifier: MIT
//
// Writing file tables.

#include "container/table.h"

#include <string.h>

#include "container/lines.h"

static void write_cells(mez_bytes *bytes, char *const *cells, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            mez_bytes_add_text(bytes, "|");
        mez_bytes_add_text(bytes, cells[i]);
    }
}

// "\r" at the end of a line would be taken for a part of the line's end.
static mez_error check_cells(char *const *cells, size_t count, bool title)
{
    for (size_t i = 0; i < count; i++)
        if (strpbrk(cells[i], "|\n") || (i + 1 == count && !title && !mez_is_line(cells[i])))
            return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
                "a file table can't hold \"%s\": it has a '|' or a line break", cells[i]);
    if (!title && count == 1 && cells[0][0] == '\0')
        return mez_error_make(
            MEZ_ERRC_INVALID_PARAMETER, "a file table can't hold a row of one empty cell");
    return mez_ok();
}

static mez_error write_titles(const mez_table *table, mez_bytes *bytes)
{
    if (!table->titled) {
        if (table->rows > 0 && table->cells[0][0] == '[')
            return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
                "a file table without titles can't begin with \"%s\": that is a line of titles",
                table->cells[0]);
        return mez_ok();
    }
    MEZ_TRY(check_cells(table->titles, table->columns, true));
    mez_bytes_add_text(bytes, "[");
    write_cells(bytes, table->titles, table->columns);
    mez_bytes_add_text(bytes, "]\n");
    return mez_ok();
}

mez_error mez_table_write(const mez_table *table, mez_bytes *bytes)
{
    MEZ_TRY(write_titles(table, bytes));
    for (size_t i = 0; i < table->rows; i++) {
        char *const *row = table->cells + i * table->columns;
        MEZ_TRY(check_cells(row, table->columns, false));
        write_cells(bytes, row, table->columns);
        mez_bytes_add_text(bytes, "\n");
    }
    return bytes->failed ? mez_error_no_memory("a file table") : mez_ok();
}
