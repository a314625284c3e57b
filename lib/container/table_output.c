// SPDX-License-Identifier: MIT

#include "container/table_output.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"
#include "container/prop.h"

#define TABLE_ENDING ".table"

static mez_error no_memory(void)
{
    return mez_error_no_memory("an image's files");
}

static const char *name_in(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// --- Files that appear together

// Writes the bytes where nobody looks for them, and notes the name that they will have.
static mez_error write_aside(
    mez_table_output *output, const char *path, const void *bytes, size_t size)
{
    MEZ_TRY(mez_file_write_aside(path, bytes, size));
    mez_bytes_add(&output->written, path, strlen(path) + 1);
    if (!output->written.failed)
        return mez_ok();
    mez_file_drop_aside(path);
    return no_memory();
}

// Visits the names of what was written; stops at an error.
static mez_error each_written(const mez_table_output *output, mez_error (*visit)(const char *path))
{
    const char *path = (const char *)output->written.data;
    const char *end = path ? path + output->written.size : NULL;
    for (; path && path < end; path += strlen(path) + 1)
        MEZ_TRY(visit(path));
    return mez_ok();
}

static mez_error drop_aside(const char *path)
{
    mez_file_drop_aside(path);
    return mez_ok();
}

static mez_error remove_file(const char *path)
{
    unlink(path);
    return mez_ok();
}

// --- Images

enum { CODE, PROPERTIES, SYMBOLS, PARTS };

typedef struct image_writer {
    mez_table_output *output;
    const mez_table_image *image;
    char *paths[PARTS];
} image_writer;

static mez_error find_paths(image_writer *writer)
{
    const char *const endings[] = {writer->image->ending, ".prop", ".sym"};
    for (size_t i = 0; i < PARTS; i++) {
        writer->paths[i] =
            mez_print_string("%s_%s%s", writer->output->stem, writer->image->name, endings[i]);
        if (!writer->paths[i])
            return no_memory();
    }
    return mez_ok();
}

static mez_error write_text(
    const image_writer *writer, size_t part, mez_error error, mez_bytes *text)
{
    if (!mez_failed(error) && text->failed)
        error = no_memory();
    if (!mez_failed(error))
        error = write_aside(writer->output, writer->paths[part], text->data, text->size);
    mez_bytes_finish(text);
    return error;
}

static mez_error write_properties(const image_writer *writer)
{
    mez_bytes text = {0};
    return write_text(writer, PROPERTIES, mez_prop_write(writer->image->properties, &text), &text);
}

static mez_error write_kernels(const image_writer *writer)
{
    const mez_table_image *image = writer->image;
    const mez_symbols kernels = {.names = (char **)image->kernels, .count = image->kernel_count};
    mez_bytes text = {0};
    return write_text(writer, SYMBOLS, mez_symbols_write(&kernels, &text), &text);
}

static mez_error write_image(image_writer *writer)
{
    const mez_table_image *image = writer->image;
    MEZ_TRY(find_paths(writer));
    MEZ_TRY(write_aside(writer->output, writer->paths[CODE], image->code, image->code_size));
    MEZ_TRY(write_properties(writer));
    MEZ_TRY(write_kernels(writer));
    const char *const cells[] = {name_in(writer->paths[CODE]), name_in(writer->paths[PROPERTIES]),
        name_in(writer->paths[SYMBOLS])};
    return mez_table_add_row(&writer->output->table, cells);
}

mez_error mez_table_output_add(mez_table_output *output, const mez_table_image *image)
{
    image_writer writer = {.output = output, .image = image};
    const mez_error error = write_image(&writer);
    for (size_t i = 0; i < PARTS; i++)
        mez_free_memory(writer.paths[i]);
    return error;
}

// --- The table

static mez_error set_stem(mez_table_output *output)
{
    output->stem = mez_copy_string(output->path);
    if (!output->stem)
        return no_memory();
    const size_t length = strlen(output->stem), ending = strlen(TABLE_ENDING);
    if (strlen(name_in(output->stem)) > ending &&
        strcmp(output->stem + length - ending, TABLE_ENDING) == 0)
        output->stem[length - ending] = '\0';
    return mez_ok();
}

mez_error mez_table_output_init(const char *path, mez_table_output *output)
{
    *output = (mez_table_output){.path = path, .table = {.titled = true}};
    if (mez_file_is_special(path))
        return mez_error_make(MEZ_ERRC_INVALID_PARAMETER,
            "%s is no plain file, and a table's images lie beside it: name a file for the table",
            path);
    MEZ_TRY(set_stem(output));
    MEZ_TRY(mez_table_add_column(&output->table, MEZ_COLUMN_CODE));
    MEZ_TRY(mez_table_add_column(&output->table, MEZ_COLUMN_PROPERTIES));
    return mez_table_add_column(&output->table, MEZ_COLUMN_SYMBOLS);
}

// The table's name comes last: whoever finds it finds the files that it names.
static mez_error take_places(const mez_table_output *output)
{
    mez_error error = each_written(output, mez_file_take_place);
    if (!mez_failed(error))
        error = mez_file_take_place(output->path);
    if (mez_failed(error))
        each_written(output, remove_file);
    return error;
}

mez_error mez_table_output_commit(mez_table_output *output)
{
    mez_bytes text = {0};
    mez_error error = mez_table_write(&output->table, &text);
    if (!mez_failed(error) && text.failed)
        error = mez_error_no_memory("a file table");
    if (!mez_failed(error))
        error = mez_file_write_aside(output->path, text.data, text.size);
    if (!mez_failed(error))
        error = take_places(output);
    mez_bytes_finish(&text);
    return error;
}

void mez_table_output_finish(mez_table_output *output)
{
    each_written(output, drop_aside);
    if (output->path)
        mez_file_drop_aside(output->path);
    mez_free_memory(output->stem);
    mez_table_finish(&output->table);
    mez_bytes_finish(&output->written);
}
