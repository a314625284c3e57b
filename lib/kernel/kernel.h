// SPDX-License-Identifier: MIT
//
// Kernels, and the Level Zero kernels lent to submissions.

#ifndef MEZ_KERNEL_KERNEL_H
#define MEZ_KERNEL_KERNEL_H

#include <mezzanine/kernel.h>

#include "image/image.h"
#include "image/module.h"
#include "spirv/needs.h"
#include "spirv/signature.h"

// A Level Zero kernel holds the arguments that were set last, so one can serve only one submission at a time. A kernel keeps
// as many as it has submitters at once.
typedef struct mez_kernel_handle {
    struct mez_kernel_handle *next; // free ones
    ze_kernel_handle_t ze;
    uint32_t group_size[3]; // set last; 0: never
} mez_kernel_handle;

struct mez_kernel_device;

struct mez_kernel {
    mez_ref ref;      // the user's, and one for each task that has not ended
    mez_image *image; // referenced
    mez_object object;
    const struct mez_spirv_entry_point *entry;
    struct mez_spirv_signature signature;
    struct mez_spirv_needs *needs;
    struct mez_kernel_device *devices; // one per device of the platform
};

mez_platform *mez_kernel_platform(const mez_kernel *kernel);

void mez_kernel_ref(mez_kernel *kernel);
void mez_kernel_unref(mez_kernel *kernel);

// Lends a Level Zero kernel, building for the device first where that has not been done. Errors: as mez_kernel_build.
mez_error mez_kernel_take(mez_kernel *kernel, mez_device *device, mez_kernel_handle **handle);
void mez_kernel_give(mez_kernel *kernel, mez_device *device, mez_kernel_handle *handle);

// The module of a built kernel whose code reaches an assert; NULL where it reaches none.
mez_module *mez_kernel_asserting_module(const mez_kernel *kernel, const mez_device *device);

// False: any size.
bool mez_kernel_required_group_size(const mez_kernel *kernel, uint32_t size[3]);

#endif
