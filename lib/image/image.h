// SPDX-License-Identifier: MIT

#ifndef MEZ_IMAGE_IMAGE_H
#define MEZ_IMAGE_IMAGE_H

#include <mezzanine/image.h>

#include "base/ref.h"
#include "device/object.h"
#include "image/asserts.h"
#include "spirv/module.h"
#include "spirv/survey.h"

struct mez_module;

struct mez_image {
    mez_ref ref;            // the user's, and one for each kernel
    mez_platform *platform; // referenced
    mez_object object;
    char *name;
    char *build_flags; // "" where there are none
    struct mez_spirv_module *spirv;
    struct mez_spirv_survey *survey; // of spirv
    mez_image_asserts asserts;
    struct mez_module *modules; // one per device of the platform
};

void mez_image_ref(mez_image *image);
void mez_image_unref(mez_image *image);

#endif
