// SPDX-License-Identifier: MIT
//
// What both versions of SYCLBIN share: how an IR module or a native image becomes a binary.

#ifndef MEZ_CONTAINER_SYCLBIN_IMAGE_H
#define MEZ_CONTAINER_SYCLBIN_IMAGE_H

#include "container/bundle.h"

typedef struct mez_syclbin_image {
    mez_span code; // with a source that names the image
    mez_span metadata;
    mez_span module_metadata;
    uint32_t module; // of those that the bundle has
    bool native;
} mez_syclbin_image;

mez_error mez_bundle_add_syclbin_image(mez_bundle *bundle, const mez_syclbin_image *image);

#endif
