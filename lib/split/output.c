// SPDX-License-Identifier: MIT

#include "split/output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/bytes.h"
#include "container/prop.h"

#define TABLE_ENDING ".table"

typedef struct output {
    const mez_split *split;
    char *stem; // of all paths: "folder/app" for "folder/app.table"
    mez_table table;
    mez_bytes written; // paths, one NUL-terminated behind the other
} output;

// --- Files

static mez_error file_error(const char *path)
{
    return mez_error_make(MEZ_ERRC_FILE, "%s: %s", path, strerror(errno));
}

static mez_error write_bytes(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wbe");
    if (!file)
        return file_error(path);
    mez_error error = mez_ok();
    if (fwrite(bytes, 1, size, file) != size)
        error = file_error(path);
    // What was buffered may find the disk full only now.
    if (fclose(file) != 0 && !mez_failed(error))
        error = file_error(path);
    return error;
}

// Writes one of an image's files and frees its bytes.
static mez_error write_file(output *output, const char *path, mez_bytes *bytes)
{
    mez_error error = mez_ok();
    if (bytes->failed)
        error = mez_error_no_memory("an image's files");
    if (!mez_failed(error)) {
        mez_bytes_add(&output->written, path, strlen(path) + 1);
        error = write_bytes(path, bytes->data, bytes->size);
    }
    mez_bytes_finish(bytes);
    return error;
}

static void remove_written(const output *output)
{
    const char *path = (const char *)output->written.data;
    const char *end = path ? path + output->written.size : NULL;
    for (; path && path < end; path += strlen(path) + 1)
        unlink(path);
}

// --- Images

static const char *name_in(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static mez_error image_path(const output *output, uint32_t index, const mez_split_image *image,
    const char *ending, mez_text *path)
{
    mez_text_add(
        path, "%s%s_%u%s", output->stem, image->esimd ? "_esimd" : "", (unsigned)index, ending);
    const bool whole =
        path->string && strcmp(path->string + strlen(path->string) - strlen(ending), ending) == 0;
    return whole ? mez_ok() : mez_error_no_memory("an image's files");
}

static mez_error write_image_files(
    output *output, const mez_split_image *image, const char *const paths[3])
{
    mez_bytes properties = {0}, symbols = {0}, code = {0};
    mez_error error = mez_prop_write(&image->properties, &properties);
    if (!mez_failed(error))
        error = mez_symbols_write(&image->kernels, &symbols);
    if (!mez_failed(error)) {
        mez_bytes_add(&code, image->code, (size_t)image->word_count * sizeof *image->code);
        error = write_file(output, paths[0], &code);
    }
    if (!mez_failed(error))
        error = write_file(output, paths[1], &properties);
    if (!mez_failed(error))
        error = write_file(output, paths[2], &symbols);
    mez_bytes_finish(&properties);
    mez_bytes_finish(&symbols);
    return error;
}

static mez_error add_row(output *output, const char *const paths[3])
{
    const char *const cells[] = {name_in(paths[0]), name_in(paths[1]), name_in(paths[2])};
    return mez_table_add_row(&output->table, cells);
}

static mez_error write_image(output *output, uint32_t index, const mez_split_image *image)
{
    static const char *const endings[] = {".spv", ".prop", ".sym"};
    mez_text texts[3] = {{0}};
    mez_error error = mez_ok();
    for (size_t i = 0; i < 3 && !mez_failed(error); i++)
        error = image_path(output, index, image, endings[i], &texts[i]);
    const char *const paths[] = {
        mez_text_get(&texts[0]), mez_text_get(&texts[1]), mez_text_get(&texts[2])};
    if (!mez_failed(error))
        error = write_image_files(output, image, paths);
    if (!mez_failed(error))
        error = add_row(output, paths);
    for (size_t i = 0; i < 3; i++)
        mez_text_finish(&texts[i]);
    return error;
}

static mez_error write_images(output *output, const mez_split_progress *progress)
{
    const uint32_t count = mez_split_image_count(output->split);
    for (uint32_t i = 0; i < count; i++) {
        mez_split_image image;
        MEZ_TRY(mez_split_make_image(output->split, i, &image));
        const mez_error error = write_image(output, i, &image);
        mez_split_image_finish(&image);
        if (mez_failed(error))
            return error;
        if (progress && progress->tell)
            progress->tell(progress->context, i + 1, count);
    }
    return mez_ok();
}

// --- The table

static mez_error make_table(output *output)
{
    output->table.titled = true;
    MEZ_TRY(mez_table_add_column(&output->table, MEZ_COLUMN_CODE));
    MEZ_TRY(mez_table_add_column(&output->table, MEZ_COLUMN_PROPERTIES));
    return mez_table_add_column(&output->table, MEZ_COLUMN_SYMBOLS);
}

// Under another name first, so that nobody sees half of it.
static mez_error put_table(const char *path, const char *partial, const mez_bytes *bytes)
{
    mez_error error = write_bytes(partial, bytes->data, bytes->size);
    if (!mez_failed(error) && rename(partial, path) != 0)
        error = file_error(path);
    if (mez_failed(error))
        unlink(partial);
    return error;
}

static mez_error write_table(const output *output, const char *path)
{
    mez_bytes bytes = {0};
    mez_text partial = {0};
    mez_text_add(&partial, "%s.partial", path);
    mez_error error = mez_table_write(&output->table, &bytes);
    if (!mez_failed(error) && (bytes.failed || partial.length != strlen(path) + strlen(".partial")))
        error = mez_error_no_memory("a file table");
    if (!mez_failed(error))
        error = put_table(path, mez_text_get(&partial), &bytes);
    mez_text_finish(&partial);
    mez_bytes_finish(&bytes);
    return error;
}

static mez_error set_stem(output *output, const char *table_path)
{
    output->stem = mez_copy_string(table_path);
    if (!output->stem)
        return mez_error_no_memory("a file table");
    const size_t length = strlen(output->stem), ending = strlen(TABLE_ENDING);
    if (strlen(name_in(output->stem)) > ending &&
        strcmp(output->stem + length - ending, TABLE_ENDING) == 0)
        output->stem[length - ending] = '\0';
    return mez_ok();
}

mez_error mez_split_write(
    const mez_split *split, const char *table_path, const mez_split_progress *progress)
{
    output output = {.split = split};
    mez_error error = set_stem(&output, table_path);
    if (!mez_failed(error))
        error = make_table(&output);
    if (!mez_failed(error))
        error = write_images(&output, progress);
    if (!mez_failed(error))
        error = write_table(&output, table_path);
    if (mez_failed(error))
        remove_written(&output);
    mez_free_memory(output.stem);
    mez_table_finish(&output.table);
    mez_bytes_finish(&output.written);
    return error;
}
