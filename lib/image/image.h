// SPDX-License-Identifier: MIT
//
// Images: the parts that a container holds, with what all of them share.

#ifndef MEZ_IMAGE_IMAGE_H
#define MEZ_IMAGE_IMAGE_H

#include <pthread.h>

#include <mezzanine/image.h>

#include "base/ref.h"
#include "base/vector.h"
#include "device/object.h"
#include "image/constants.h"
#include "image/part.h"

// A kernel by its name, however many parts have it.
typedef struct mez_image_kernel {
    const char *name; // belongs to the bundle, or to a part's code
} mez_image_kernel;

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

    mez_image_kernel *kernels; // united
    uint32_t kernel_count, kernel_capacity;
    mez_name_index kernel_index;
};

// mez_image_load without its checks, for the library itself: no call is reported.
mez_error mez_image_load_file(
    const mez_location *where, mez_context *context, const char *path, mez_image **image);

void mez_image_ref(mez_image *image);
void mez_image_unref(mez_image *image);

#endif
