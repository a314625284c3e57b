// SPDX-License-Identifier: MIT
//
// Do the devices of a context have what kernels need? Asked before the driver's compiler is, which fails the whole module, or stays
// silent. What is judged, and in which words, is in lib/check.
//
// Thread-safety: safe.

#ifndef MEZ_IMAGE_REQUIREMENTS_H
#define MEZ_IMAGE_REQUIREMENTS_H

#include "check/check.h"
#include "image/image.h"

// A live device as checks see it. It lives as long as the device.
mez_check_device mez_device_to_check(const mez_device *device);

// MEZ_ERRC_KERNEL_NOT_SUPPORTED with every unmet requirement, the instruction that causes it, what the device has, and which other
// devices of the context have it all. MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_requirements_check(
    const mez_image *image, const struct mez_spirv_kernel_needs *needs, const mez_device *device);

// Would that succeed? Without words; false also for want of memory.
bool mez_requirements_pass(
    const mez_image *image, const struct mez_spirv_kernel_needs *needs, const mez_device *device);

#endif
