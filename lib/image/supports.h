// SPDX-License-Identifier: MIT
//
// Does a device have what kernels of an image require? Where a property set states it, that binds all kernels of the part, and the
// answer needs no look into the code; else the code of each kernel speaks for itself, together with all it is linked with.

#ifndef MEZ_IMAGE_SUPPORTS_H
#define MEZ_IMAGE_SUPPORTS_H

#include "check/check.h"
#include "image/image.h"
#include "image/link.h"
#include "target/native.h"

// A live device as checks see it. It lives as long as the device.
mez_check_device mez_device_to_check(const mez_device *device);

// Was native code of a part compiled for a device like this?
mez_native_fit mez_supports_native(const mez_part *part, const mez_device *device);

// Each of these: without `words` a failure has its code only, and no story.

// By what the container says alone: the target that native code was compiled for, and property sets.
// MEZ_ERRC_KERNEL_NOT_SUPPORTED with every reason. MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_supports_stated(
    const mez_part *part, const char *kernel, const mez_device *device, bool words);

// By all that is known of a kernel (its number in the survey) and what it is linked with; the part has been read.
// Errors as above, and MEZ_ERRC_LINK_PROGRAM, "Unable to merge incompatible images.", where what is linked states what does not fit
// together.
mez_error mez_supports_kernel(const mez_part *part, uint32_t kernel, const mez_link *link,
    const mez_device *device, bool words);

// Can everything that the part exports be compiled for the device, as far as is known? *can is false for less than an error.
mez_error mez_supports_exports(const mez_part *part, const mez_device *device, bool *can);

#endif
