// SPDX-License-Identifier: MIT
//
// Does a device have what a kernel needs? Asked before the driver's compiler is, which fails the whole module, or stays
// silent.

#ifndef MEZ_IMAGE_REQUIREMENTS_H
#define MEZ_IMAGE_REQUIREMENTS_H

#include "image/image.h"

// MEZ_ERRC_KERNEL_NOT_SUPPORTED with every unmet requirement, the instruction that causes it, and what the device has.
mez_error mez_requirements_check(const mez_image *image, const struct mez_spirv_kernel_needs *needs,
    const mez_device_info *device);

#endif
