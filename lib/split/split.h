// SPDX-License-Identifier: MIT
//
// Device code split into images: which kernels go together, by what the user asks for and by what each kernel needs of a device.
//
//     mez_split *split;
//     MEZ_TRY(mez_split_create(&params, &split));
//     for (uint32_t i = 0; i < mez_split_image_count(split); i++) {
//         mez_split_image image;
//         MEZ_TRY(mez_split_make_image(split, i, &image));
//         ...
//         mez_split_image_finish(&image);
//     }
//     mez_split_destroy(&split);
//
// Several sources are linked first, so that an image has what its kernels call, whichever source it comes from. Functions that a
// source exports count like kernels.
//
// Two kernels share an image if the mode puts them together, and both come from sources with the same fixed targets, or from
// sources without any and agree in the aspects they require, in their required work-group size and in their required sub-group
// size. Negative aspects, a toolchain's own, tell kernels apart and are not written. A kernel of a source with fixed targets goes
// exactly where the mode puts it.
//
// The modes:
//   per_kernel  an image for each kernel
//   per_source  an image for each source
//   off         one image
//   auto        an image for each kernel, unless that makes more than twice the code there was: then as per_source. Kernels that
//               share a program-scope variable stay together, and all do where function pointers are taken

#ifndef MEZ_SPLIT_SPLIT_H
#define MEZ_SPLIT_SPLIT_H

#include "container/device_requirements.h"
#include "container/table.h"
#include "target/target.h"

struct mez_spirv_survey;

typedef enum mez_split_mode {
    MEZ_SPLIT_AUTO = 0,
    MEZ_SPLIT_PER_KERNEL,
    MEZ_SPLIT_PER_SOURCE,
    MEZ_SPLIT_OFF,
} mez_split_mode;

// SPIR-V, and the targets that its author promises to run it on. Only needed while the split is created.
typedef struct mez_split_source {
    const char *name; // for messages
    const void *code;
    size_t size; // bytes
    const mez_target *const *fixed_targets;
    uint32_t fixed_target_count; // 0: nothing was promised
} mez_split_source;

typedef struct mez_split_params {
    const mez_split_source *sources;
    uint32_t source_count;
    mez_split_mode mode;
    bool
        kernels_only; // exported functions get no images of their own: they go with the kernels that call them
    bool without_debug_info; // see spirv/extract.h
    mez_requirements_writing writing;

    // Told of what may surprise: uses of aspects that nobody declared, functions that ask for more than the kernel that calls them
    // says, variables of which several images get a copy. `text` has no line break at its end. NULL: to nobody.
    void (*warn)(void *context, const char *text);
    void *context;
} mez_split_params;

typedef struct mez_split mez_split;

// MEZ_ERRC_INVALID_PARAMETER: a fixed target that no property can name.
// MEZ_ERRC_INVALID_IMAGE: a source is not SPIR-V, or damaged; it is named.
// MEZ_ERRC_LINK_PROGRAM: sources that can't be linked with each other; both are named.
// MEZ_ERRC_OUT_OF_HOST_MEMORY. *split is the caller's after success, else NULL.
mez_error mez_split_create(const mez_split_params *params, mez_split **split);
void mez_split_destroy(mez_split **split);

// What source number `index` knows by itself, without the others; belongs to the split.
const struct mez_spirv_survey *mez_split_survey(const mez_split *split, uint32_t source);

// 0: there are no kernels and no exported functions.
uint32_t mez_split_image_count(const mez_split *split);

typedef struct mez_split_image {
    uint32_t *code; // SPIR-V, host byte order
    uint32_t word_count;
    mez_properties properties;
    mez_symbols kernels;
    bool esimd; // all kernels are vector compute
} mez_split_image;

// Writes image number `index` into `image`, which is the caller's to finish after success. Takes time and memory in proportion to
// that image.
//
// MEZ_ERRC_INVALID_IMAGE: code that can't be taken out by itself; MEZ_ERRC_INVALID_PARAMETER: what it needs can't be said in the
// properties' form; MEZ_ERRC_OUT_OF_HOST_MEMORY.
//
// Thread-safety: safe; a split never changes after its creation.
mez_error mez_split_make_image(const mez_split *split, uint32_t index, mez_split_image *image);
void mez_split_image_finish(mez_split_image *image);

// --- As files
//
// sycl-post-link writes the same: for OUT.table the code of each image in OUT_0.spv, its properties in OUT_0.prop, its kernels in
// OUT_0.sym, and the table that says which belong together. Vector compute images are OUT_esimd_0.spv and so on.

typedef struct mez_split_progress {
    void (*tell)(
        void *context, uint32_t done, uint32_t images); // after each image; NULL: nobody listens
    void *context;
} mez_split_progress;

// Writes the files. The table comes last and appears at once, whole: whoever finds it finds all files. Cells are names beside the
// table. After an error what was written is gone again, and what was there before is still there, but where
// only giving the files their names failed.
//
// MEZ_ERRC_FILE: a file can't be written, with the system's reason. MEZ_ERRC_INVALID_PARAMETER: a name that the forms can't hold.
// Else as mez_split_make_image.
//
// Thread-safety: safe; two writers of one table get in each other's way.
mez_error mez_split_write(
    const mez_split *split, const char *table_path, const mez_split_progress *progress);

#endif
