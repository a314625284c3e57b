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
// that, or where one does not get its name, whatever was written is gone again, and what was there before is there.
//
// Thread-safety: none; two writers of one table get in each other's way.

#ifndef MEZ_CONTAINER_TABLE_OUTPUT_H
#define MEZ_CONTAINER_TABLE_OUTPUT_H

#include "base/vector.h"
#include "container/properties.h"
#include "container/table.h"

// A file that has been written, by all names that it needs.
typedef struct mez_output_file {
    char *path, *aside;
    char *before; // what was there under its name before, while files take their places
    bool existed; // something was
    bool kept;    // and has the second name
    bool placed;  // the file has its own name
} mez_output_file;

typedef struct mez_table_output {
    const char *path; // of the table; the caller's
    char *stem;       // of all files: "folder/app" for "folder/app.table"
    mez_table table;
    MEZ_VECTOR(mez_output_file) files;
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

// `path` must outlive the output, which is to be finished in any case. MEZ_ERRC_INVALID_PARAMETER: something that is not a regular
// file is there, such as /dev/null. MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_table_output_init(const char *path, mez_table_output *output);

// A row more. MEZ_ERRC_FILE: a file can't be written, with the system's reason. MEZ_ERRC_INVALID_PARAMETER: a name that the forms
// can't hold. MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_table_output_add(mez_table_output *output, const mez_table_image *image);

// Gives all files their names. Errors as above; files that were there before are there again then, except that without hard links
// some may have been replaced.
mez_error mez_table_output_commit(mez_table_output *output);

void mez_table_output_finish(mez_table_output *output);

#endif
