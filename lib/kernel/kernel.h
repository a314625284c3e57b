// SPDX-License-Identifier: MIT
//
// Kernels: entry points of images. What the driver made of one for a queue is in use.h.

#ifndef MEZ_KERNEL_KERNEL_H
#define MEZ_KERNEL_KERNEL_H

#include <mezzanine/kernel.h>

#include "image/image.h"
#include "image/module.h"
#include "spirv/signature.h"

struct mez_kernel_use;

struct mez_kernel {
    mez_ref ref;      // the user's, and one for each task that has not ended
    mez_image *image; // referenced
    mez_object object;
    const struct mez_spirv_entry_point *entry;
    struct mez_spirv_signature signature;
    const struct mez_spirv_kernel_needs *needs; // in the image's survey
    bool finds_pointers;                        // see spirv/pointers.h
    uint64_t id;                                // no other kernel of the process ever has it
    struct mez_kernel_use *uses;                // one per queue that has run it; see use.h
    struct mez_kernel_use *spare_uses;          // made by mez_kernel_build, for queues to come
};

mez_platform *mez_kernel_platform(const mez_kernel *kernel);

__attribute__((cold)) void mez_kernel_free(mez_kernel *kernel);

static inline void mez_kernel_ref(mez_kernel *kernel)
{
    mez_ref_get(&kernel->ref);
}

static inline void mez_kernel_unref(mez_kernel *kernel)
{
    if (mez_ref_put(&kernel->ref))
        mez_kernel_free(kernel);
}

// False: any size.
bool mez_kernel_required_group_size(const mez_kernel *kernel, uint32_t size[3]);

#endif
