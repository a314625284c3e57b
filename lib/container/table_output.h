// SPDX-License-Identifier: MIT
//
// Device images as files, as sycl-post-link writes them: for OUT.table the code of an image in OUT_0.spv, its properties in
// OUT_0.prop, its kernels in OUT_0.sym, and the table that says which belong together.
//
//     mez_table_output output;
//     mez_error error = mez_table_output_init("app.table", &output);
//     for each image, while there is no error
//         error = mez_table_output_add(&output, &image);
//     if (!mez_failed(error))
//         error = mez_table_output_commit(&output);
//     mez_table_output_finish(&output);
//
// Files are written under other names and get their own ones in the end, the table last: whoever finds it finds all files. Without
// that, whatever was written is gone again.
//
// Thread-safety: none; two writers of one table get in each other's way.

#ifndef MEZ_CONTAINER_TABLE_OUTPUT_H
#define MEZ_CONTAINER_TABLE_OUTPUT_H

#include "container/properties.h"
#include "container/table.h"

typedef struct mez_table_output {
    const char *path; // of the table; the caller's
    char *stem;       // of all files: "folder/app" for "folder/app.table"
    mez_table table;
    mez_bytes written; // the files' own names, each with its NUL
} mez_table_output;

// All is the caller's, and needed for the call only.
typedef struct mez_table_image {
    const char *name;   // behind the stem and a '_': "0"
    const char *ending; // of the code's file: ".spv"
    const void *code;
    size_t code_size;
    const mez_properties *properties;
    const char *const *kernels;
    size_t kernel_count;
} mez_table_image;

// `path` must outlive the output, which is to be finished in any case. MEZ_ERRC_INVALID_PARAMETER: something that is no plain
// file is there, such as /dev/null. MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_table_output_init(const char *path, mez_table_output *output);

// A row more. MEZ_ERRC_FILE: a file can't be written, with the system's reason. MEZ_ERRC_INVALID_PARAMETER: a name that the forms
// can't hold. MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_table_output_add(mez_table_output *output, const mez_table_image *image);

// Gives all files their names. Errors as above; files that were there before may then have been replaced, but not the table.
mez_error mez_table_output_commit(mez_table_output *output);

void mez_table_output_finish(mez_table_output *output);

#endif
