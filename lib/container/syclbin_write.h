// SPDX-License-Identifier: MIT
//
// What the writers of SYCLBIN's two versions are given: the texts of all metadata, by abstract module.

#ifndef MEZ_CONTAINER_SYCLBIN_WRITE_H
#define MEZ_CONTAINER_SYCLBIN_WRITE_H

#include "container/syclbin.h"

typedef struct mez_syclbin_written_image {
    const mez_binary *binary;
    mez_bytes metadata;
    bool native;
} mez_syclbin_written_image;

typedef struct mez_syclbin_written_module {
    mez_bytes metadata;
    size_t first, count; // of its images
} mez_syclbin_written_module;

typedef struct mez_syclbin_writer {
    const mez_bundle *bundle;
    mez_bytes global;
    mez_syclbin_written_module *modules; // as many at most as there are images
    size_t module_count;
    mez_syclbin_written_image *images; // as many as the bundle has binaries
} mez_syclbin_writer;

// Version 1, by itself or in an OffloadBinary.
mez_error mez_syclbin_write_tables(const mez_syclbin_writer *writer, mez_bytes *bytes);
mez_error mez_syclbin_write_wrapped(const mez_syclbin_writer *writer, mez_bytes *bytes);

// Version 2.
mez_error mez_syclbin_write_roles(const mez_syclbin_writer *writer, mez_bytes *bytes);

#endif
