// SPDX-License-Identifier: MIT

#include "base/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"

#define FIRST_PIECE 65536

static mez_error failure(const char *path, int reason)
{
    return mez_error_make(MEZ_ERRC_FILE, "\"%s\" can't be read: %s", path, strerror(reason));
}

// Reads to the end rather than trusting a size: the file may be a pipe.
static mez_error read_all(FILE *stream, const char *path, mez_file *file)
{
    size_t capacity = 0;
    for (;;) {
        if (file->size == capacity) {
            capacity = capacity ? capacity * 2 : FIRST_PIECE;
            void *larger = mez_realloc_array(file->bytes, capacity, 1);
            if (!larger)
                return mez_error_no_memory(path);
            file->bytes = larger;
        }
        errno = 0;
        const size_t got =
            fread((char *)file->bytes + file->size, 1, capacity - file->size, stream);
        file->size += got;
        if (got == 0)
            return ferror(stream) ? failure(path, errno) : mez_ok();
    }
}

mez_error mez_file_read(const char *path, mez_file *file)
{
    *file = (mez_file){0};
    FILE *stream = fopen(path, "rbe");
    if (!stream)
        return failure(path, errno);
    const mez_error error = read_all(stream, path, file);
    fclose(stream);
    if (mez_failed(error))
        mez_file_finish(file);
    return error;
}

void mez_file_finish(mez_file *file)
{
    mez_free_memory(file->bytes);
    *file = (mez_file){0};
}

// --- Writing

mez_error mez_file_error(const char *path)
{
    return mez_error_make(MEZ_ERRC_FILE, "%s: %s", path, strerror(errno));
}

static mez_error write_to(FILE *stream, const char *path, const void *bytes, size_t size)
{
    mez_error error = mez_ok();
    if (size > 0 && fwrite(bytes, 1, size, stream) != size)
        error = mez_file_error(path);
    // What was buffered may find the disk full only now.
    if (fclose(stream) != 0 && !mez_failed(error))
        error = mez_file_error(path);
    return error;
}

mez_error mez_file_write(const char *path, const char *shown, const void *bytes, size_t size)
{
    FILE *stream = fopen(path, "wbe");
    if (!stream)
        return mez_file_error(shown);
    const mez_error error = write_to(stream, shown, bytes, size);
    if (mez_failed(error))
        unlink(path);
    return error;
}

mez_error mez_file_replace(const char *path, const void *bytes, size_t size)
{
    char *partial = mez_print_string("%s.partial", path);
    if (!partial)
        return mez_error_no_memory(path);
    mez_error error = mez_file_write(partial, path, bytes, size);
    if (!mez_failed(error) && rename(partial, path) != 0) {
        error = mez_file_error(path);
        unlink(partial);
    }
    mez_free_memory(partial);
    return error;
}
