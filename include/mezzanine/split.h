// SPDX-License-Identifier: MIT
//
// Splitting: one module of SPIR-V, or several that are linked with each other, as images that each
// ask devices for the same things, so that what a device lacks for one kernel does not cost it the
// others (docs/splitting.md).
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
// Thread-safety: safe; a split never changes after its creation. Two writers of one file table get
// in each other's way.

#ifndef MEZZANINE_SPLIT_H
#define MEZZANINE_SPLIT_H

#include <mezzanine/base.h>
#include <mezzanine/code.h>
#include <mezzanine/error.h>
#include <mezzanine/target.h>

MEZ_BEGIN

typedef struct mez_split mez_split;

// Which kernels and exported functions may go together. Those that require different things are
// never in one image.
typedef enum mez_split_mode {
    // An image for each kernel, unless that makes more than twice the code: then as per source.
    // Kernels that share a program-scope variable stay together.
    MEZ_SPLIT_AUTO = 0,
    MEZ_SPLIT_PER_KERNEL = 1,
    MEZ_SPLIT_PER_SOURCE = 2,
    MEZ_SPLIT_OFF = 3, // all of them
} mez_split_mode;

// SPIR-V, and the targets that its author declares it for. Read during mez_split_create only.
typedef struct mez_split_source {
    const char *name; // for messages; must not be NULL
    const void *code;
    size_t size;                            // bytes
    const mez_target *const *fixed_targets; // it runs on these alone
    uint32_t fixed_target_count;            // 0: on any
    uint64_t reserved[4];                   // must be zero: mezzanine/base.h
} mez_split_source;

typedef struct mez_split_params {
    const mez_split_source *sources;
    uint32_t source_count;
    mez_split_mode mode;
    bool kernels_only;       // exported functions go with the kernels that call them alone
    bool without_debug_info; // leave out what -g adds, except for line numbers
    bool renumbered_aspects; // properties have the numbers of the next ABI of SYCL's runtimes
    bool doc_names;          // properties have the names and forms of the published document
    // Called with uses of aspects that nobody declares, functions that ask for more than the kernel
    // that calls them states or than a fixed target of their source has, variables of which several
    // images get a copy, and exported ones that no image gets. The texts are lines as compilers
    // print them: "warning: function 'deep' ...", or with a place before that. NULL: they are
    // dropped.
    mez_warning_function warn;
    void *user;
    uint64_t reserved[8]; // must be zero: mezzanine/base.h
} mez_split_params;

// *split is yours, to be given to mez_split_destroy; NULL after an error.
//
// MEZ_ERRC_INVALID_IMAGE: a source is not SPIR-V, or it is damaged; the story names it.
// MEZ_ERRC_LINK_PROGRAM: sources that can't be linked with each other; the story names both.
// MEZ_ERRC_INVALID_PARAMETER: NULL, also inside of a source, no source, an invalid mode, a fixed
//     target that no property can name, or `reserved` is not zero.
// MEZ_ERRC_OUT_OF_HOST_MEMORY.
MEZ_API MEZ_CHECKED mez_error mez_split_create(const mez_split_params *params, mez_split **split);

// Sets *split to NULL; NULL inside is fine.
MEZ_API void mez_split_destroy(mez_split **split);

// 0: there are no kernels, and no exported functions.
MEZ_API uint32_t mez_split_get_image_count(const mez_split *split);

// One image by its number, as code of one binary with its kernels and properties. It takes time and
// memory in proportion to that image. *code is yours, to be given to mez_code_destroy, and may
// outlive the split; NULL after an error.
//
// A source that is damaged in a way which shows only where the image is made is refused as by
// mez_split_create. MEZ_ERRC_INVALID_PARAMETER: NULL, there is no image of that number, or a
// property has no form for what it requires or for a kernel's name.
// MEZ_ERRC_OUT_OF_HOST_MEMORY.
MEZ_API MEZ_CHECKED mez_error mez_split_get_code(
    const mez_split *split, uint32_t index, mez_code **code);

// Called after each image that has been written, in the thread that writes: so many of all.
typedef void (*mez_split_progress_function)(void *user, uint32_t done, uint32_t images);

typedef struct mez_split_progress {
    mez_split_progress_function function; // NULL: none
    void *user;
    uint64_t reserved[4]; // must be zero: mezzanine/base.h
} mez_split_progress;

// Writes a file table: for OUT.table the code of each image in OUT_0.spv, its properties in
// OUT_0.prop, its kernels in OUT_0.sym, and the table that lists them. Images of vector compute are
// OUT_esimd_0.spv and so on. The table appears last and whole: whoever finds it finds all files.
// After an error what was written is gone, and what was there before is still there; where only
// giving the files their names failed, on a file system without hard links, some are new ones.
// `progress` may be NULL.
//
// MEZ_ERRC_FILE: a file can't be written, with the system's reason. MEZ_ERRC_INVALID_PARAMETER:
// NULL, `path` is a device or a pipe, or `reserved` is not zero; besides what mez_split_get_code
// returns of an image. MEZ_ERRC_OUT_OF_HOST_MEMORY.
MEZ_API MEZ_CHECKED mez_error mez_split_write(
    const mez_split *split, const char *path, const mez_split_progress *progress);

MEZ_END

#endif
