// SPDX-License-Identifier: MIT
//
// Kernels: entry points of images. What the driver made of one for a queue is in use.h.

#ifndef MEZ_KERNEL_KERNEL_H
#define MEZ_KERNEL_KERNEL_H

#include <mezzanine/kernel.h>

#include <pthread.h>

#include "image/image.h"
#include "kernel/code.h"

struct mez_kernel_use;
struct mez_known_arguments;
struct mez_known_kernel;

struct mez_kernel {
    mez_ref ref;      // the user's, and one for each task that has not ended
    mez_image *image; // referenced
    mez_object object;
    const char *name;       // the image's
    pthread_mutex_t lock;   // guards what codes learn
    mez_kernel_code *codes; // of the parts that have the kernel, the most fitting kind first
    uint32_t code_count;
    atomic_bool may_assert;                // some code of it that is known
    struct mez_known_kernel *known;        // for each device that was asked about; see info.h
    struct mez_known_arguments *arguments; // once they were asked for; see declared.h
    uint64_t id;                           // no other kernel of the process ever has it
    struct mez_kernel_use *uses;           // one per queue that has run it; see use.h
    struct mez_kernel_use *spare_uses;     // made by mez_kernel_build, for queues to come
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

// Finds out what a code of the kernel says, before or (with a kernel of the driver's) after it was built. Errors of
// mez_kernel_code_learn and mez_kernel_code_ask.
mez_error mez_kernel_learn(mez_kernel *kernel, mez_kernel_code *code, ze_kernel_handle_t built);

// The last code that is known, which is the most general one. NULL: none says anything before it is built.
const mez_kernel_code *mez_kernel_known_code(const mez_kernel *kernel);

// --- Info
//
// What a program can ask of a kernel: what drivers report of it once they have built it, and its arguments.

// Frees what was asked about the kernel.
void mez_kernel_forget_infos(mez_kernel *kernel);

// Frees what was said of the kernel's arguments.
void mez_kernel_forget_arguments(mez_kernel *kernel);

#endif
