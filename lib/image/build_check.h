// SPDX-License-Identifier: MIT
//
// What can be known of a kernel before a compiler is asked: whether it is there, whether the device has what it needs, and whether
// all that it uses is defined. mez_build_check, which does all of it for a kernel's name, is declared in build.h.
//
// Thread-safety: safe.

#ifndef MEZ_IMAGE_BUILD_CHECK_H
#define MEZ_IMAGE_BUILD_CHECK_H

#include "device/device.h"
#include "image/link.h"

// The number of a kernel in the part's survey; the part has been read. MEZ_ERRC_KERNEL: the code has none of that name.
mez_error mez_build_find_kernel(const mez_part *part, const char *name, uint32_t *kernel);

// Can that kernel be built? Errors of mez_build_check; without `words` they have a code and no story.
mez_error mez_build_check_kernel(
    mez_part *part, uint32_t kernel, const mez_device *device, bool words);

#endif
