// SPDX-License-Identifier: MIT
//
// Images: the parts that a container holds, with what all of them share.

#ifndef MEZ_IMAGE_IMAGE_H
#define MEZ_IMAGE_IMAGE_H

#include <mezzanine/image.h>

#include <pthread.h>

#include "base/ref.h"
#include "base/vector.h"
#include "device/platform.h"
#include "image/image.h"
#include "image/part.h"
#include "ze/call.h"

// --- Specialization constants
//
// Values that the user gave. Thread-safety: constant once initialised.

struct mez_spirv_module;

typedef struct mez_constants {
    uint32_t *sizes;  // bytes
    uint64_t *values; // each in its first bytes
    const void **pointers;
    uint32_t *numbers;        // SpecIds
    ze_module_constants_t ze; // all of them, as drivers want them
} mez_constants;

// Copies what the user gave. MEZ_ERRC_INVALID_PARAMETER: a NULL, a size that no constant has, a number that is given twice.
// MEZ_ERRC_OUT_OF_HOST_MEMORY. To be finished also after a failure.
mez_error mez_constants_init(
    const mez_spec_constant *given, uint32_t count, mez_constants *constants);
void mez_constants_finish(mez_constants *constants);

// Puts a module with the values in the place of *module: sizes of arrays and work-groups follow from them. Marks in `found`,
// which has an item for each value, those that the module has.
// MEZ_ERRC_INVALID_PARAMETER: a value has another size than its constant; the story names both. MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_constants_apply(
    const mez_constants *constants, struct mez_spirv_module **module, bool *found);

// MEZ_ERRC_INVALID_PARAMETER for the values that were not found; the story lists the constants that the modules have.
mez_error mez_constants_check_found(const mez_constants *constants, const bool *found,
    const struct mez_spirv_module *const *modules, uint32_t count);

// For compilers. They ignore numbers that the code in front of them does not have. NULL: there are none.
static inline const ze_module_constants_t *mez_constants_get(const mez_constants *constants)
{
    return constants->ze.numConstants > 0 ? &constants->ze : NULL;
}

// --- Images

struct mez_image {
    mez_ref ref; // the user's, and one for each kernel and each image that it is a library of
    mez_platform *platform; // referenced
    mez_object object;
    char *name;
    char *build_flags; // "" where there are none
    mez_constants constants;
    bool *constants_found; // one for each, while parts are read for the first time; else NULL
    mez_image **libraries; // referenced
    uint32_t library_count;

    void *bytes; // what the bundle was read from, where that is not the bundle's own
    mez_bundle *bundle;
    pthread_mutex_t lock; // guards what parts read late, and the bundle meanwhile
    mez_part *parts;      // in the bundle's order
    uint32_t part_count;

    // Of all parts, each name once; they belong to the bundle, or to a part's code.
    MEZ_NAMED(const char *) kernels;
};

// mez_image_load without its checks, for the library itself: no call is reported.
mez_error mez_image_load_file(
    const mez_location *where, mez_context *context, const char *path, mez_image **image);

void mez_image_ref(mez_image *image);
void mez_image_unref(mez_image *image);

// --- Kernels
//
// Those of all parts, each name once.

// Asks the containers; where one has no list, the code; and of native code without a list, the driver. A part that can't be used
// has none, unless it is the only one: then the error says why. Errors of mez_part_read.
mez_error mez_image_kernels_find(mez_image *image);

// The image's own string of that name; NULL: it has no such kernel.
const char *mez_image_find_kernel(const mez_image *image, const char *name);

bool mez_part_has_kernel(const mez_part *part, const char *name);

#endif
