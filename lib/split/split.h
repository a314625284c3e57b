// SPDX-License-Identifier: MIT
//
// Device code split into images: which kernels go together, by what the user asks for and by what each kernel needs of a device.
//
//     mez_split *split;
//     MEZ_TRY(mez_split_create(&params, &split));
//     for (uint32_t i = 0; i < mez_split_get_image_count(split); i++) {
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
// size. Negative aspects, a toolchain's own, distinguish kernels and are not written. A kernel of a source with fixed targets goes
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

#include <mezzanine/split.h>

#include "container/device_requirements.h"
#include "container/table.h"
#include "target/target.h"

// Creating a split, and writing it as files, is in mezzanine/split.h.

// How it writes what images require.
const mez_requirements_writing *mez_split_get_writing(const mez_split *split);

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

#endif
