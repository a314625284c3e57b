// SPDX-License-Identifier: MIT

#include "container/table.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/text.h"

// Real tables have up to ten. With a bound, looking for duplicates stays cheap whatever the file.
#define MOST_COLUMNS 1000

void mez_table_finish(mez_table *table)
{
    for (size_t i = 0; i < table->titles.count; i++)
        mez_free_memory(table->titles.items[i]);
    for (size_t i = 0; i < table->cells.count; i++)
        mez_free_memory(table->cells.items[i]);
    mez_vector_finish(&table->titles);
    mez_vector_finish(&table->cells);
    *table = (mez_table){0};
}

// --- Columns

size_t mez_table_find_column(const mez_table *table, const char *title)
{
    for (size_t i = 0; i < table->titles.count; i++)
        if (strcmp(table->titles.items[i], title) == 0)
            return i;
    return MEZ_NO_COLUMN;
}

// Takes the title, also where it fails.
static mez_error add_column(mez_table *table, char *title)
{
    if (title && mez_vector_push(&table->titles, title))
        return mez_ok();
    mez_free_memory(title);
    return mez_error_no_memory("a table's column");
}

mez_error mez_table_add_column(mez_table *table, const char *title)
{
    if (table->rows > 0)
        return mez_error_make(
            MEZ_ERRC_INVALID_PARAMETER, "the table has rows, so \"%s\" can't be added", title);
    if (mez_table_find_column(table, title) != MEZ_NO_COLUMN)
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER, "duplicate column \"%s\"", title);
    table->titled = true;
    return add_column(table, mez_copy_string(title));
}

// --- Rows

// Takes the cell. Where there is no memory for it, those that stand before it in its row go too.
static mez_error add_cell(mez_table *table, char *cell)
{
    if (cell && mez_vector_push(&table->cells, cell))
        return mez_ok();
    mez_free_memory(cell);
    while (table->cells.count > table->rows * table->titles.count)
        mez_free_memory(table->cells.items[--table->cells.count]);
    return mez_error_no_memory("a table's row");
}

mez_error mez_table_add_row(mez_table *table, const char *const *cells)
{
    for (size_t i = 0; i < table->titles.count; i++)
        MEZ_TRY(add_cell(table, mez_copy_string(cells[i])));
    table->rows++;
    return mez_ok();
}

void mez_table_remove_row(mez_table *table, size_t row)
{
    const size_t columns = table->titles.count;
    char **cells = table->cells.items + row * columns;
    for (size_t i = 0; i < columns; i++)
        mez_free_memory(cells[i]);
    table->rows--;
    table->cells.count -= columns;
    memmove(cells, cells + columns, (table->rows - row) * columns * sizeof *cells);
}

const char *mez_table_get(const mez_table *table, size_t row, size_t column)
{
    return table->cells.items[row * table->titles.count + column];
}

// --- Reading

typedef struct table_reader {
    mez_table *table;
    const char *source;
    mez_lines lines;
} table_reader;

static mez_error damaged(const table_reader *reader, const char *what, mez_slice text)
{
    return mez_error_make(MEZ_ERRC_INVALID_IMAGE, "%s:%zu: %s: %.*s", reader->source,
        reader->lines.number, what, mez_slice_shown(text), text.start);
}

static size_t count_cells(mez_slice line)
{
    size_t count = 1;
    for (size_t i = 0; i < line.length; i++)
        count += line.start[i] == '|';
    return count;
}

static mez_error check_width(const table_reader *reader, mez_slice line, size_t count)
{
    return count <= MOST_COLUMNS ? mez_ok() : damaged(reader, "far too many columns", line);
}

// Among the titles that came before it.
static bool is_duplicate(const mez_table *table, mez_slice title)
{
    for (size_t i = 0; i < table->titles.count; i++) {
        const char *other = table->titles.items[i];
        if (strlen(other) == title.length && memcmp(other, title.start, title.length) == 0)
            return true;
    }
    return false;
}

static mez_error read_titles(table_reader *reader, mez_slice line)
{
    if (line.start[line.length - 1] != ']')
        return damaged(reader, "malformed title line, without ']' at its end", line);
    mez_slice rest = {.start = line.start + 1, .length = line.length - 2};
    MEZ_TRY(check_width(reader, line, count_cells(rest)));
    reader->table->titled = true;
    for (size_t left = count_cells(rest); left > 0; left--) {
        const mez_slice title = mez_slice_split(rest, '|', &rest);
        if (is_duplicate(reader->table, title))
            return damaged(reader, "duplicate column", title);
        MEZ_TRY(add_column(reader->table, mez_slice_copy(title)));
    }
    return mez_ok();
}

// Columns without titles are called by their numbers.
static mez_error number_columns(mez_table *table, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char title[24];
        snprintf(title, sizeof title, "%zu", i);
        MEZ_TRY(add_column(table, mez_copy_string(title)));
    }
    return mez_ok();
}

static mez_error read_row(table_reader *reader, mez_slice line)
{
    mez_table *table = reader->table;
    const size_t count = count_cells(line);
    MEZ_TRY(check_width(reader, line, count));
    if (table->titles.count == 0)
        MEZ_TRY(number_columns(table, count));
    if (count != table->titles.count)
        return mez_error_make(MEZ_ERRC_INVALID_IMAGE,
            "%s: row size mismatch at line %zu: %zu cells for %zu columns: %.*s", reader->source,
            reader->lines.number, count, table->titles.count, mez_slice_shown(line), line.start);
    for (size_t i = 0; i < count; i++)
        MEZ_TRY(add_cell(table, mez_slice_copy(mez_slice_split(line, '|', &line))));
    table->rows++;
    return mez_ok();
}

static mez_error read_line(table_reader *reader, mez_slice line)
{
    if (memchr(line.start, '\0', line.length))
        return damaged(reader, "a NUL in a line of text", line);
    const bool first = reader->table->titles.count == 0;
    return first && line.start[0] == '[' ? read_titles(reader, line) : read_row(reader, line);
}

mez_error mez_table_read(const char *text, size_t size, const char *source, mez_table *table)
{
    table_reader reader = {
        .table = table,
        .source = source,
        .lines = {.rest = text, .left = size},
    };
    mez_error error = mez_ok();
    mez_slice line;
    while (!mez_failed(error) && mez_lines_next(&reader.lines, &line))
        error = read_line(&reader, line);
    if (mez_failed(error))
        mez_table_finish(table);
    return error;
}

mez_error mez_table_load(const char *path, mez_table *table)
{
    mez_file file;
    MEZ_TRY(mez_file_read(path, &file));
    const mez_error error = mez_table_read(file.bytes, file.size, path, table);
    mez_file_finish(&file);
    return error;
}

// --- Paths

char *mez_table_resolve(const char *table_path, const char *cell)
{
    const char *slash = strrchr(table_path, '/');
    if (cell[0] == '/' || !slash)
        return mez_copy_string(cell);
    const size_t folder = (size_t)(slash - table_path) + 1, name = strlen(cell);
    char *path = mez_alloc_array(folder + name + 1, 1);
    if (!path)
        return NULL;
    memcpy(path, table_path, folder);
    memcpy(path + folder, cell, name);
    return path;
}

// --- Writing

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
        if (table->rows > 0 && table->cells.items[0][0] == '[')
            return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
                "a file table without titles can't begin with \"%s\": that is a line of titles",
                table->cells.items[0]);
        return mez_ok();
    }
    MEZ_TRY(check_cells(table->titles.items, table->titles.count, true));
    mez_bytes_add_text(bytes, "[");
    write_cells(bytes, table->titles.items, table->titles.count);
    mez_bytes_add_text(bytes, "]\n");
    return mez_ok();
}

mez_error mez_table_write(const mez_table *table, mez_bytes *bytes)
{
    MEZ_TRY(write_titles(table, bytes));
    for (size_t i = 0; i < table->rows; i++) {
        char *const *row = table->cells.items + i * table->titles.count;
        MEZ_TRY(check_cells(row, table->titles.count, false));
        write_cells(bytes, row, table->titles.count);
        mez_bytes_add_text(bytes, "\n");
    }
    return bytes->failed ? mez_error_no_memory("a file table") : mez_ok();
}

// --- Symbol files

void mez_symbols_finish(mez_symbols *symbols)
{
    for (size_t i = 0; i < symbols->count; i++)
        mez_free_memory(symbols->items[i]);
    mez_vector_finish(symbols);
}

mez_error mez_symbols_add(mez_symbols *symbols, const char *name, size_t length)
{
    char *copy = mez_slice_copy((mez_slice){name, length});
    if (copy && mez_vector_push(symbols, copy))
        return mez_ok();
    mez_free_memory(copy);
    return mez_error_no_memory("a list of symbols");
}

mez_error mez_symbols_read(const char *text, size_t size, const char *source, mez_symbols *symbols)
{
    mez_lines lines = {.rest = text, .left = size};
    mez_slice line;
    while (mez_lines_next(&lines, &line)) {
        if (memchr(line.start, '\0', line.length))
            return mez_error_make(
                MEZ_ERRC_INVALID_IMAGE, "%s:%zu: a NUL in a symbol's name", source, lines.number);
        MEZ_TRY(mez_symbols_add(symbols, line.start, line.length));
    }
    return mez_ok();
}

mez_error mez_symbols_load(const char *path, mez_symbols *symbols)
{
    mez_file file;
    MEZ_TRY(mez_file_read(path, &file));
    const mez_error error = mez_symbols_read(file.bytes, file.size, path, symbols);
    mez_file_finish(&file);
    return error;
}

mez_error mez_symbols_write(const mez_symbols *symbols, mez_bytes *bytes)
{
    for (size_t i = 0; i < symbols->count; i++) {
        const char *name = symbols->items[i];
        if (name[0] == '\0' || !mez_is_line(name))
            return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
                "a symbol file can't hold \"%s\": a name has letters and no line break", name);
        mez_bytes_add_text(bytes, name);
        mez_bytes_add_text(bytes, "\n");
    }
    return bytes->failed ? mez_error_no_memory("a list of symbols") : mez_ok();
}
