// SPDX-License-Identifier: MIT

#include "container/table.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"
#include "container/properties.h"

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

// All names at once: later nothing may fail for lack of memory.
static mez_error add_file(mez_table_output *output, const char *path)
{
    const mez_output_file file = {.path = mez_copy_string(path),
        .aside = mez_file_name_aside(path),
        .before = mez_print_string("%s.before", path)};
    if (file.path && file.aside && file.before && mez_vector_push(&output->files, file))
        return mez_ok();
    mez_free_memory(file.path);
    mez_free_memory(file.aside);
    mez_free_memory(file.before);
    return no_memory();
}

// Writes the bytes where nobody looks for them, and notes the name that they will have.
static mez_error write_aside(
    mez_table_output *output, const char *path, const void *bytes, size_t size)
{
    MEZ_TRY(add_file(output, path));
    return mez_file_write_aside(path, bytes, size);
}

// A second name for what is there. File systems without hard links have none; then it can't come back.
static void keep(mez_output_file *file)
{
    file->existed = access(file->path, F_OK) == 0;
    unlink(file->before);
    file->kept = file->existed && link(file->path, file->before) == 0;
}

static mez_error take_place(mez_output_file *file)
{
    if (rename(file->aside, file->path) != 0)
        return mez_file_error(file->path);
    file->placed = true;
    return mez_ok();
}

static void put_back(mez_output_file *file)
{
    if (file->placed && file->kept)
        rename(file->before, file->path);
    else if (file->placed && !file->existed)
        unlink(file->path);
}

// In their order, the table last: whoever finds it finds the files that it names.
static mez_error take_places(mez_table_output *output)
{
    mez_error error = mez_ok();
    for (size_t i = 0; i < output->files.count; i++)
        keep(&output->files.items[i]);
    for (size_t i = 0; i < output->files.count && !mez_failed(error); i++)
        error = take_place(&output->files.items[i]);
    for (size_t i = 0; i < output->files.count && mez_failed(error); i++)
        put_back(&output->files.items[i]);
    return error;
}

static void finish_file(mez_output_file *file)
{
    if (!file->placed)
        unlink(file->aside);
    if (file->kept)
        unlink(file->before);
    mez_free_memory(file->path);
    mez_free_memory(file->aside);
    mez_free_memory(file->before);
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
    const mez_symbols kernels = {.items = (char **)image->kernels, .count = image->kernel_count};
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
            "%s is not a regular file, but the images of a table are written beside it: use a file "
            "for the table",
            path);
    MEZ_TRY(set_stem(output));
    MEZ_TRY(mez_table_add_column(&output->table, MEZ_COLUMN_CODE));
    MEZ_TRY(mez_table_add_column(&output->table, MEZ_COLUMN_PROPERTIES));
    return mez_table_add_column(&output->table, MEZ_COLUMN_SYMBOLS);
}

mez_error mez_table_output_commit(mez_table_output *output)
{
    mez_bytes text = {0};
    mez_error error = mez_table_write(&output->table, &text);
    if (!mez_failed(error) && text.failed)
        error = mez_error_no_memory("a file table");
    if (!mez_failed(error))
        error = write_aside(output, output->path, text.data, text.size);
    if (!mez_failed(error))
        error = take_places(output);
    mez_bytes_finish(&text);
    return error;
}

void mez_table_output_finish(mez_table_output *output)
{
    for (size_t i = 0; i < output->files.count; i++)
        finish_file(&output->files.items[i]);
    mez_vector_finish(&output->files);
    mez_free_memory(output->stem);
    mez_table_finish(&output->table);
}
