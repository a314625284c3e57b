// SPDX-License-Identifier: MIT
//
// Removes from a file table (.table) the rows whose device code a target can't run, so that a
// compiler for that target does not get code that it would refuse.
//
//     mez_filter *filter = NULL;
//     mez_error err = mez_filter_create(
//         &(mez_filter_params){.path = "app.table", .target = "intel_gpu_tgllp"}, &filter);
//     if (!mez_failed(err))
//         err = mez_filter_write(filter, "tgllp.table");
//     mez_filter_destroy(&filter);
//
// Part of libmezzanine-image (docs/toolchain.md), and of libmezzanine.
//
// Thread-safety: safe; a filtered table never changes after its creation.

#ifndef MEZZANINE_FILTER_H
#define MEZZANINE_FILTER_H

#include <mezzanine/base.h>
#include <mezzanine/error.h>
#include <mezzanine/target.h>

MEZ_BEGIN

// A filtered file table.
typedef struct mez_filter mez_filter;

// Called by mez_filter_create for each row that is removed, with its first cell, which names the
// code, and the first reason, such as "aspect fp64".
typedef void (*mez_filter_row_function)(void *user, const char *code, const char *why);

typedef struct mez_filter_params {
    const char *path; // of the table; property files are found from its folder
    const void *text; // of the table; NULL: the file is read
    size_t text_size; // bytes
    // A name that mez_targets_find finds in `targets`. If `targets` is NULL, those of
    // mez_targets_get_default are used.
    const char *target;
    const mez_targets *targets;
    bool renumbered_aspects; // property files have the numbers of the next ABI of SYCL's runtimes
    bool doc_names;          // property files have the names and forms of the published document
    mez_filter_row_function leave_out; // NULL: none
    void *user;
    uint64_t reserved[8]; // must be zero: mezzanine/base.h
} mez_filter_params;

// Filters the table by the aspects, sub-group sizes and fixed targets in the property files; the
// code itself is not read. The other rows keep their order. Rows without a property file, or whose
// file states no requirements, are kept. A table without the column "Properties" is kept unchanged,
// and the target is not looked up. The call succeeds also if all rows are removed. *filter is
// yours, to be given to mez_filter_destroy; NULL after an error.
//
// MEZ_ERRC_FILE: the table or a property file can't be read, or MEZ_DEVICE_CONFIG names such a
// file. MEZ_ERRC_INVALID_IMAGE: one of them is damaged; the story says where.
// MEZ_ERRC_INVALID_PARAMETER: `params`, its path or target, or `filter` is NULL, the target is not
// known, or `reserved` is not zero. MEZ_ERRC_OUT_OF_HOST_MEMORY.
MEZ_API MEZ_CHECKED mez_error mez_filter_create(
    const mez_filter_params *params, mez_filter **filter);

// Frees the filter and sets *filter to NULL; *filter may be NULL.
MEZ_API void mez_filter_destroy(mez_filter **filter);

// The table as text, without a final NUL; *size (NULL: not wanted) is its size in bytes. It lives
// as long as the filter.
MEZ_API const char *mez_filter_get_text(const mez_filter *filter, size_t *size);

// Writes the table to a file. After an error the file is as it was before.
//
// MEZ_ERRC_FILE: the file can't be written; the story has the system's reason.
// MEZ_ERRC_INVALID_PARAMETER: NULL. MEZ_ERRC_OUT_OF_HOST_MEMORY.
MEZ_API MEZ_CHECKED mez_error mez_filter_write(const mez_filter *filter, const char *path);

MEZ_END

#endif
