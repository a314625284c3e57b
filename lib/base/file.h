// SPDX-License-Identifier: MIT
//
// Whole files, in and out.

#ifndef MEZ_BASE_FILE_H
#define MEZ_BASE_FILE_H

#include <stdbool.h>

#include "base/error.h"

typedef struct mez_file {
    void *bytes; // never NULL after success
    size_t size;
} mez_file;

// MEZ_ERRC_FILE with the system's reason, or MEZ_ERRC_OUT_OF_HOST_MEMORY; then there is nothing to finish.
mez_error mez_file_read(const char *path, mez_file *file);
void mez_file_finish(mez_file *file);

// Writes to an open file until all is written, whatever interrupts. False: it can't, with errno.
bool mez_file_write_all(int file, const void *bytes, size_t size);

// Writes the file, or removes what it could write of it. MEZ_ERRC_FILE with the system's reason.
mez_error mez_file_write(const char *path, const void *bytes, size_t size);

// The same under another name first, so that nobody sees half of it, and a file that was there stays after an error. A path that
// leads to something else than a plain file is written to in place. MEZ_ERRC_OUT_OF_HOST_MEMORY besides.
mez_error mez_file_replace(const char *path, const void *bytes, size_t size);

// The other name, yours to be freed; NULL: no memory.
char *mez_file_name_aside(const char *path);

// The two steps of it, for files that appear together: what is written aside gets its name when it takes its place, or is
// dropped. Errors name the file by `path`; dropping what is not there is fine.
mez_error mez_file_write_aside(const char *path, const void *bytes, size_t size);
mez_error mez_file_take_place(const char *path);
void mez_file_drop_aside(const char *path);

// Is there something other than a regular file, such as /dev/null or a pipe, which a file must not replace?
bool mez_file_is_special(const char *path);
// Writes to it, and leaves it where it is in any case. MEZ_ERRC_FILE with the system's reason.
mez_error mez_file_write_special(const char *path, const void *bytes, size_t size);

// Can it be read once, as a pipe, or by this process alone, as its standard input? False where there is nothing of this name, too.
bool mez_file_is_stream(const char *path);

// MEZ_ERRC_FILE with what the system says of the file now, by errno.
mez_error mez_file_error(const char *path);

#endif
