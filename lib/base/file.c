// SPDX-License-Identifier: MIT

#include "base/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
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

bool mez_file_write_all(int file, const void *bytes, size_t size)
{
    for (const char *next = bytes; size > 0;) {
        const ssize_t written = write(file, next, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        next += written;
        size -= (size_t)written;
    }
    return true;
}

mez_error mez_file_error(const char *path)
{
    return mez_error_make(MEZ_ERRC_FILE, "%s: %s", path, strerror(errno));
}

static mez_error write_to(FILE *stream, const char *name, const void *bytes, size_t size)
{
    mez_error error = mez_ok();
    if (size > 0 && fwrite(bytes, 1, size, stream) != size)
        error = mez_file_error(name);
    // What was buffered may find the disk full only now.
    if (fclose(stream) != 0 && !mez_failed(error))
        error = mez_file_error(name);
    return error;
}

// Messages call the file `name`.
static mez_error write_named(const char *path, const char *name, const void *bytes, size_t size)
{
    FILE *stream = fopen(path, "wbe");
    if (!stream)
        return mez_file_error(name);
    const mez_error error = write_to(stream, name, bytes, size);
    if (mez_failed(error))
        unlink(path);
    return error;
}

mez_error mez_file_write(const char *path, const void *bytes, size_t size)
{
    return write_named(path, path, bytes, size);
}

// --- Writing aside

char *mez_file_name_aside(const char *path)
{
    return mez_print_string("%s.partial", path);
}

mez_error mez_file_write_aside(const char *path, const void *bytes, size_t size)
{
    char *aside = mez_file_name_aside(path);
    if (!aside)
        return mez_error_no_memory(path);
    const mez_error error = write_named(aside, path, bytes, size);
    mez_free_memory(aside);
    return error;
}

mez_error mez_file_take_place(const char *path)
{
    char *aside = mez_file_name_aside(path);
    if (!aside)
        return mez_error_no_memory(path);
    const mez_error error = rename(aside, path) == 0 ? mez_ok() : mez_file_error(path);
    mez_free_memory(aside);
    return error;
}

void mez_file_drop_aside(const char *path)
{
    char *aside = mez_file_name_aside(path);
    if (aside)
        unlink(aside);
    mez_free_memory(aside);
}

// --- What is not a regular file

bool mez_file_is_special(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode);
}

mez_error mez_file_write_special(const char *path, const void *bytes, size_t size)
{
    FILE *stream = fopen(path, "we");
    return stream ? write_to(stream, path, bytes, size) : mez_file_error(path);
}

mez_error mez_file_replace(const char *path, const void *bytes, size_t size)
{
    if (mez_file_is_special(path))
        return mez_file_write_special(path, bytes, size);
    MEZ_TRY(mez_file_write_aside(path, bytes, size));
    const mez_error error = mez_file_take_place(path);
    if (mez_failed(error))
        mez_file_drop_aside(path);
    return error;
}

// What is opened in another process by these names is something else, or in another place, even where it is a plain file.
static const char *const own_files[] = {
    "/dev/stdin", "/dev/fd/", "/proc/self/fd/", "/proc/thread-self/fd/"};

static bool is_own(const char *path)
{
    for (size_t i = 0; i < sizeof own_files / sizeof *own_files; i++)
        if (strncmp(path, own_files[i], strlen(own_files[i])) == 0)
            return true;
    return false;
}

bool mez_file_is_stream(const char *path)
{
    struct stat about;
    return is_own(path) || (stat(path, &about) == 0 && !S_ISREG(about.st_mode));
}
