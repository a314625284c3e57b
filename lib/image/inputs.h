// SPDX-License-Identifier: MIT
//
// What the driver's compiler is given for a module: the image, our device library where the plan has one, and flags.

#ifndef MEZ_IMAGE_INPUTS_H
#define MEZ_IMAGE_INPUTS_H

#include "image/asserts.h"
#include "image/compile.h"
#include "image/image.h"

typedef struct mez_inputs {
    mez_code codes
        [MEZ_MOST_CODES]; // the image; where planned the library; where planned what C's assert calls
    uint32_t count;
    char *flags;                      // the image's
    struct mez_spirv_module *renamed; // copy of the image; NULL: none
} mez_inputs;

// The image must outlive the inputs, which are the caller's to finish, also after a failure.
// Errors: MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_inputs_init(const mez_image *image, const mez_assert_plan *plan, mez_inputs *inputs);
void mez_inputs_finish(mez_inputs *inputs);

#endif
