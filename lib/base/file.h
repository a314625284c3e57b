// SPDX-License-Identifier: MIT
//
// Reading a whole file.

#ifndef MEZ_BASE_FILE_H
#define MEZ_BASE_FILE_H

#include "base/check.h"

typedef struct mez_file {
    void *bytes; // never NULL after success
    size_t size;
} mez_file;

// MEZ_ERRC_FILE with the system's reason, or MEZ_ERRC_OUT_OF_HOST_MEMORY; then there is nothing to finish.
mez_error mez_file_read(const char *path, mez_file *file);
void mez_file_finish(mez_file *file);

#endif
