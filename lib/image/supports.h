// SPDX-License-Identifier: MIT
//
// Does a device have what kernels of an image require? Where a property set states it, that binds all kernels of the part, and the
// answer needs no look into the code; else the code of each kernel speaks for itself, together with all it is linked with.

#ifndef MEZ_IMAGE_SUPPORTS_H
#define MEZ_IMAGE_SUPPORTS_H

#include "check/check.h"
#include "device/device.h"
#include "image/image.h"
#include "image/link.h"
#include "target/target.h"

// A live device as checks see it. It lives as long as the device.
mez_check_device mez_device_to_check(const mez_device *device);

// Was native code of a part compiled for a device like this?
mez_native_fit mez_supports_native(const mez_part *part, const mez_device *device);

// Can everything that the part exports be compiled for the device, as far as is known? *can is false for less than an error.
mez_error mez_supports_exports(const mez_part *part, const mez_device *device, bool *can);

// --- A kernel in all respects
//
// Whether it is there, whether the device has what it needs, and whether all that it uses is defined.

// The number of a kernel in the part's survey; the part has been read. MEZ_ERRC_KERNEL: the code has none of that name.
mez_error mez_build_find_kernel(const mez_part *part, const char *name, uint32_t *kernel);

// Can that kernel be built? Errors of mez_build_check; without `words` they have a code and no story.
mez_error mez_build_check_kernel(
    mez_part *part, uint32_t kernel, const mez_device *device, bool words);

// Could it be built, by all that is known without asking a compiler? Reads the code only if what is stated fits.
// MEZ_ERRC_KERNEL_NOT_SUPPORTED with every reason; MEZ_ERRC_LINK_PROGRAM: images that do not fit together, or symbols that
// nothing defines, by name; errors of mez_part_read; MEZ_ERRC_KERNEL: the code has no such kernel, though its container says so.
//
// Whoever asks of many kernels and wants no words (`words` false) gets codes without stories, and pushes out nobody else's.
mez_error mez_build_check(mez_part *part, const char *kernel, mez_device *device, bool words);

#endif
