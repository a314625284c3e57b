// SPDX-License-Identifier: MIT
//
// Kernels of a part on a device: whether they can be built there, and the modules that they are built into.

#ifndef MEZ_IMAGE_BUILD_H
#define MEZ_IMAGE_BUILD_H

#include <pthread.h>

#include "device/device.h"
#include "image/image.h"
#include "image/link.h"
#include "image/module.h"
#include "image/part.h"
#include "target/target.h"

// --- Verdicts
//
// Does a device have what kernels of an image require? Where a property set states it, that binds all kernels of the part, and the
// answer needs no look into the code; else the code of each kernel speaks for itself, together with all it is linked with.

// Was native code of a part compiled for a device like this?
mez_native_fit mez_supports_native(const mez_part *part, const mez_device *device);

// Can everything that the part exports be compiled for the device, as far as is known? *can is false for less than an error.
mez_error mez_supports_exports(const mez_part *part, const mez_device *device, bool *can);

// A kernel in all respects: whether it is there, whether the device has what it needs, and whether all that it uses is defined.

// The number of a kernel in the part's survey; the part has been read. MEZ_ERRC_KERNEL: the code has none of that name.
mez_error mez_part_find_kernel(const mez_part *part, const char *name, uint32_t *kernel);

// Can that kernel be built? Errors of mez_part_judge; without `words` they have a code and no story.
mez_error mez_part_judge_kernel(
    mez_part *part, uint32_t kernel, const mez_device *device, bool words);

// Could it be built, by all that is known without asking a compiler? Reads the code only if what is stated fits.
// MEZ_ERRC_KERNEL_NOT_SUPPORTED with every reason; MEZ_ERRC_LINK_PROGRAM: images that do not fit together, or symbols that
// nothing defines, by name; errors of mez_part_read; MEZ_ERRC_KERNEL: the code has no such kernel, though its container says so.
//
// Whoever asks of many kernels and wants no words (`words` false) gets codes without stories, and pushes out nobody else's.
mez_error mez_part_judge(mez_part *part, const char *kernel, mez_device *device, bool words);

// --- Builds
//
// Modules of a part for a device. As a rule that is one: all kernels are compiled together, once. Where the device can't run some
// of them, or its compiler refuses the whole, each kernel gets a module of its own when it is first needed, so that those run that
// can; kernels that share memory stay together.
//
// Thread-safety: safe. Who wants a module of the same part and device while the compiler works has to wait.

typedef enum mez_part_build_way {
    MEZ_PART_BUILD_UNDECIDED = 0,
    MEZ_PART_BUILD_WHOLE,
    MEZ_PART_BUILD_SPLIT,
} mez_part_build_way;

typedef struct mez_part_build {
    pthread_mutex_t lock; // guards all of this, and is held while the compiler works
    mez_part *part;
    mez_device *device;
    mez_part_build_way way;
    // Whole: one; split: as many as kernels, one for the first of each group; NULL: not built.
    mez_module **modules;
    uint32_t module_count;
} mez_part_build;

// One for each device of the image's platform. MEZ_ERRC_OUT_OF_HOST_MEMORY.
mez_error mez_part_builds_create(mez_part *part);
void mez_part_builds_destroy(mez_part *part);

// The module for a device that has the kernel, built if it has not been. The kernel has passed mez_part_judge. For native code
// `kernel` may be NULL: whatever there is.
//
// MEZ_ERRC_KERNEL_NOT_SUPPORTED, MEZ_ERRC_LINK_PROGRAM: a kernel that shares memory with this one can't run on the device; the
//     story says which and why. Errors of mez_module_create, of mez_part_read.
mez_error mez_part_build_get(
    mez_part *part, const char *kernel, mez_device *device, mez_module **module);

#endif
