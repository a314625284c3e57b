// SPDX-License-Identifier: MIT
//
// What the driver's compiler is given for a module: code of a part, what that is linked with, our device library where asserts
// need it, and flags.

#ifndef MEZ_IMAGE_INPUTS_H
#define MEZ_IMAGE_INPUTS_H

#include "image/asserts.h"
#include "image/compile.h"
#include "image/groups.h"
#include "image/link.h"

typedef struct mez_inputs {
    // The part's; what it is linked with; where planned the library and what C's assert calls.
    mez_code *codes;
    const mez_part **parts; // of each code; NULL: of none, as the last two
    uint32_t count;
    uint32_t library;          // index in codes of what has the variables that will be read
    mez_image_asserts asserts; // of all of them
    mez_assert_plan plan;

    const struct mez_spirv_module **modules; // SPIR-V of the first codes
    struct mez_spirv_module **made;          // those of them that were made for this; else NULL
    uint32_t module_count;
    // Of what the part is linked with: one whose code asks for a work-item's ids; NULL: none.
    const mez_part *asks_for_ids;
    char **flags; // of the part, and of what it is linked with
    uint32_t flag_count;
} mez_inputs;

// Which code of a part. `groups` NULL: all of it; else the group of kernels that `first` leads. The part has been read.
typedef struct mez_selection {
    mez_part *part;
    const mez_groups *groups;
    uint32_t first;
} mez_selection;

// Part, link and platform must outlive the inputs, which are the caller's to finish, also after a failure.
// MEZ_ERRC_LINK_PROGRAM: something is imported that neither the link nor the library nor the driver defines; all of it is
//     named. MEZ_ERRC_OUT_OF_HOST_MEMORY, MEZ_ERRC_INVALID_IMAGE; what the driver says to the question whether it knows asserts.
mez_error mez_inputs_init(
    const mez_selection *selection, const mez_link *link, mez_device *device, mez_inputs *inputs);
void mez_inputs_finish(mez_inputs *inputs);

#endif
