// SPDX-License-Identifier: MIT
//
// Modules of a part for a device. As a rule that is one: all kernels are compiled together, once. Where the device can't run some
// of them, or its compiler refuses the whole, each kernel gets a module of its own when it is first needed, so that those run that
// can; kernels that share memory stay together.
//
// Thread-safety: safe. Who wants a module of the same part and device while the compiler works has to wait.

#ifndef MEZ_IMAGE_BUILD_H
#define MEZ_IMAGE_BUILD_H

#include <pthread.h>

#include "image/groups.h"
#include "image/module.h"
#include "image/supports.h"

typedef enum mez_build_way {
    MEZ_BUILD_UNDECIDED = 0,
    MEZ_BUILD_WHOLE,
    MEZ_BUILD_SPLIT,
} mez_build_way;

typedef struct mez_build {
    pthread_mutex_t lock; // guards all of this, and is held while the compiler works
    mez_part *part;
    mez_device *device;
    mez_build_way way;
    // Whole: one; split: as many as kernels, one for the first of each group; NULL: not built.
    mez_module **modules;
    uint32_t module_count;
} mez_build;

// One for each device of the image's platform. MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_builds_create(mez_part *part);
void mez_builds_destroy(mez_part *part);

// The module for a device that has the kernel, built if it has not been. The kernel has passed mez_build_check. For native code
// `kernel` may be NULL: whatever there is.
//
// MEZ_ERRC_KERNEL_NOT_SUPPORTED, MEZ_ERRC_LINK_PROGRAM: a kernel that shares memory with this one can't run on the device; the
//     story says which and why. Errors of mez_module_create, of mez_part_read.
mez_error mez_build_get(
    mez_part *part, const char *kernel, mez_device *device, mez_module **module);

#endif
