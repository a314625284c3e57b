// SPDX-License-Identifier: MIT
//
// A split as files, as sycl-post-link writes them: for OUT.table the code of each image in OUT_0.spv, its properties in OUT_0.prop,
// its kernels in OUT_0.sym, and the table that says which belong together. Vector compute images are OUT_esimd_0.spv and so on.
//
// Thread-safety: safe; two writers of one table get in each other's way.

#ifndef MEZ_SPLIT_OUTPUT_H
#define MEZ_SPLIT_OUTPUT_H

#include "split/split.h"

typedef struct mez_split_progress {
    void (*tell)(
        void *context, uint32_t done, uint32_t images); // after each image; NULL: nobody listens
    void *context;
} mez_split_progress;

// Writes the files. The table comes last and appears at once, whole: whoever finds it finds all files. Cells are names beside the
// table. After an error the files that were written are gone again; a table that was there before stays, and so do its files unless
// they had the names of new ones.
//
// MEZ_ERRC_FILE: a file can't be written, with the system's reason. MEZ_ERRC_INVALID_PARAMETER: a name that the forms can't hold.
// Else as mez_split_make_image.
mez_error mez_split_write(
    const mez_split *split, const char *table_path, const mez_split_progress *progress);

#endif
