// SPDX-License-Identifier: MIT
//
// Splits a module of SPIR-V, or several that are linked with each other, into images. All kernels
// of an image require the same features of a device, so that a device which lacks a feature of one
// kernel can still run the kernels of other images (docs/splitting.md).
//
//     const mez_split_source source = {.name = "app.spv", .code = bytes, .size = size};
//     mez_split *split = NULL;
//     mez_error err =
//         mez_split_create(&(mez_split_params){.sources = &source, .source_count = 1}, &split);
//     if (!mez_failed(err))
//         err = mez_split_write(split, "app.table", NULL);
//     mez_split_destroy(&split);
//
// Part of libmezzanine-image (docs/toolchain.md), and of libmezzanine.
//
// Thread-safety: safe; a split never changes after its creation. Two threads must not write the
// same file table at the same time.

#ifndef MEZZANINE_SPLIT_H
#define MEZZANINE_SPLIT_H

#include <mezzanine/base.h>
#include <mezzanine/code.h>
#include <mezzanine/error.h>
#include <mezzanine/target.h>

MEZ_BEGIN

typedef struct mez_split mez_split;

// Which kernels and exported functions may be in one image. Those that require different features
// are never in the same image.
typedef enum mez_split_mode {
    // One image for each kernel, or one for each source if single kernels would make more than
    // twice as much code. Kernels that share a program-scope variable stay together.
    MEZ_SPLIT_AUTO = 0,
    MEZ_SPLIT_PER_KERNEL = 1,
    MEZ_SPLIT_PER_SOURCE = 2,
    MEZ_SPLIT_OFF = 3, // all of them
} mez_split_mode;

// SPIR-V, and the targets for which its author declares it. Read during mez_split_create only.
typedef struct mez_split_source {
    const char *name; // for messages; must not be NULL
    const void *code;
    size_t size;                            // bytes
    const mez_target *const *fixed_targets; // the only targets that may run it
    uint32_t fixed_target_count;            // 0: any target may run it
    uint64_t reserved[4];                   // must be zero: mezzanine/base.h
} mez_split_source;

typedef struct mez_split_params {
    const mez_split_source *sources;
    uint32_t source_count;
    mez_split_mode mode;
    bool kernels_only; // no images for exported functions; kernels that call them contain them
    bool without_debug_info; // leave out what -g adds, except for line numbers
    bool renumbered_aspects; // properties have the numbers of the next ABI of SYCL's runtimes
    bool doc_names;          // properties have the names and forms of the published document
    // Called with warnings: aspects that are used without being declared, functions that require
    // more than a kernel that calls them declares or than a fixed target of their source has,
    // variables that are copied into several images, and exported variables that are in none. The
    // texts look like those of compilers: "warning: function 'deep' ...", perhaps after a place.
    // NULL: no warnings.
    mez_warning_function warn;
    void *user;
    uint64_t reserved[8]; // must be zero: mezzanine/base.h
} mez_split_params;

// Creates a split. *split is yours, to be given to mez_split_destroy; NULL after an error.
//
// MEZ_ERRC_INVALID_IMAGE: a source is not SPIR-V, or it is damaged; the story names it.
// MEZ_ERRC_LINK_PROGRAM: two sources can't be linked with each other; the story names both.
// MEZ_ERRC_INVALID_PARAMETER: NULL, also in a source; no source; an invalid mode; a fixed target
//     whose name can't be written in a property; or `reserved` is not zero.
// MEZ_ERRC_OUT_OF_HOST_MEMORY.
MEZ_API MEZ_CHECKED mez_error mez_split_create(const mez_split_params *params, mez_split **split);

// Frees the split and sets *split to NULL; *split may be NULL.
MEZ_API void mez_split_destroy(mez_split **split);

// 0 if there are no kernels and no exported functions.
MEZ_API uint32_t mez_split_get_image_count(const mez_split *split);

// Makes one image, by its number, as code with one binary, its kernels and its properties. The call
// takes time and memory in proportion to the size of the image. *code is yours, to be given to
// mez_code_destroy, and may outlive the split; NULL after an error.
//
// If a source is damaged in a way that shows only here, it is refused as by mez_split_create.
//
// MEZ_ERRC_INVALID_PARAMETER: NULL, there is no image with that number, or a requirement or the
//     name of a kernel can't be written in a property.
// MEZ_ERRC_OUT_OF_HOST_MEMORY.
MEZ_API MEZ_CHECKED mez_error mez_split_get_code(
    const mez_split *split, uint32_t index, mez_code **code);

// Called by mez_split_write after each image: `done` of `images` have been written.
typedef void (*mez_split_progress_function)(void *user, uint32_t done, uint32_t images);

typedef struct mez_split_progress {
    mez_split_progress_function function; // NULL: none
    void *user;
    uint64_t reserved[4]; // must be zero: mezzanine/base.h
} mez_split_progress;

// Writes a file table: for OUT.table the code of each image in OUT_0.spv, its properties in
// OUT_0.prop, its kernels in OUT_0.sym, and the table that lists them. Images of vector compute are
// OUT_esimd_0.spv and so on. The table appears last, so that a program which finds it also finds
// all other files. After an error the new files are removed, and older files with these names are
// unchanged. There is one exception: if renaming fails on a file system without hard links, some
// files may be new. `progress` may be NULL.
//
// MEZ_ERRC_FILE: a file can't be written; the story has the system's reason.
// MEZ_ERRC_INVALID_PARAMETER: NULL, `path` is a device or a pipe, or `reserved` is not zero.
// MEZ_ERRC_OUT_OF_HOST_MEMORY. The errors of mez_split_get_code for each image.
MEZ_API MEZ_CHECKED mez_error mez_split_write(
    const mez_split *split, const char *path, const mez_split_progress *progress);

MEZ_END

#endif
