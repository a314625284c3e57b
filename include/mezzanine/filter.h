// SPDX-License-Identifier: MIT
//
// Filtering: a file table (.table) without the rows whose device code a target can't run, so that a
// compiler for that target is not given what it would refuse.
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

// A file table that was filtered.
typedef struct mez_filter mez_filter;

// Called for each row that is left out, in the thread that filters: with its first cell, which
// names its code, and the first reason: "aspect fp64".
typedef void (*mez_filter_row_function)(void *user, const char *code, const char *why);

typedef struct mez_filter_params {
    const char *path; // of the table; its property files are looked for beside it
    const void *text; // what is in it; NULL: it is read from there
    size_t text_size; // bytes
    // By any name that mez_targets_find knows; `targets` may be NULL: those of
    // mez_targets_get_default.
    const char *target;
    const mez_targets *targets;
    bool renumbered_aspects; // property files have the numbers of the next ABI of SYCL's runtimes
    bool doc_names;          // property files have the names and forms of the published document
    mez_filter_row_function leave_out; // NULL: nothing is called
    void *user;
    uint64_t reserved[8]; // must be zero: mezzanine/base.h
} mez_filter_params;

// Decides by aspects, sub-group sizes and fixed targets in the property files; the code itself is
// not read. Rows that stay keep their order. A table without the column "Properties" stays as it
// is, and the target is not looked up; so do rows without a property file, or whose file states no
// requirements. It is not an error that no row stays. *filter is yours, to be given to
// mez_filter_destroy; NULL after an error.
//
// MEZ_ERRC_FILE: the table or a property file can't be read, or MEZ_DEVICE_CONFIG names such a
// file. MEZ_ERRC_INVALID_IMAGE: one of them is damaged; the story says where.
// MEZ_ERRC_INVALID_PARAMETER: `params`, its path or target, or `filter` is NULL, the target is not
// known, or `reserved` is not zero. MEZ_ERRC_OUT_OF_HOST_MEMORY.
MEZ_API MEZ_CHECKED mez_error mez_filter_create(
    const mez_filter_params *params, mez_filter **filter);

// Sets *filter to NULL; NULL inside is fine.
MEZ_API void mez_filter_destroy(mez_filter **filter);

// The table as text, without a NUL behind it; *size is its bytes, unless `size` is NULL. It lives
// as long as the filter.
MEZ_API const char *mez_filter_get_text(const mez_filter *filter, size_t *size);

// Writes the table, which appears whole or not at all.
//
// MEZ_ERRC_FILE: it can't be written, with the system's reason. MEZ_ERRC_INVALID_PARAMETER: NULL.
// MEZ_ERRC_OUT_OF_HOST_MEMORY.
MEZ_API MEZ_CHECKED mez_error mez_filter_write(const mez_filter *filter, const char *path);

MEZ_END

#endif
