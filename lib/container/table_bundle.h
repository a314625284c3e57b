// SPDX-License-Identifier: MIT
//
// File tables and the model: a binary for each row.

#ifndef MEZ_CONTAINER_TABLE_BUNDLE_H
#define MEZ_CONTAINER_TABLE_BUNDLE_H

#include "container/bundle.h"

// Reads the table and the files that it names; `path` is the table's own. Rows without code, without properties or without symbols
// are fine. Without titles the columns are code, properties and symbols, in this order.
//
// MEZ_ERRC_INVALID_IMAGE for a damaged table or file of it, MEZ_ERRC_FILE for one that can't be read, each with the table's row;
// MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_bundle_read_table(
    mez_bundle *bundle, const char *text, size_t size, const char *path);

#endif
