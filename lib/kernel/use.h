// SPDX-License-Identifier: MIT
//
// A kernel as one queue uses it: a Level Zero kernel of the queue's own, with what was set on it last. Setting costs: on
// Intel's driver 1,700 instructions for a pointer and 1,900 for a group size even where nothing changes (facts:
// performance.md 3), so only what differs is set again.
//
// A use belongs to its queue, whose lock guards it, and is also known to its kernel. Whichever of the two goes first takes
// the use along; platform->uses_lock guards both lists, and is taken only then and when a use is made.

#ifndef MEZ_KERNEL_USE_H
#define MEZ_KERNEL_USE_H

#include <mezzanine/queue.h>

#include "kernel/kernel.h"

// The argument that was set last.
typedef struct mez_set_argument {
    uint32_t size; // bytes; 0: none was set, or it is too large to remember
    unsigned char value[16];
} mez_set_argument;

// From a range to work-groups.
typedef struct mez_launch_plan {
    mez_range range; // that it was made for; no dimensions: none
    uint32_t group_size[3];
    ze_group_count_t group_count;
} mez_launch_plan;

typedef struct mez_kernel_use {
    mez_kernel *kernel;
    mez_module *module;
    ze_kernel_handle_t ze;

    uint32_t group_size[3];      // set last; 0: never
    uint64_t allocations;        // platform->allocation_generation when the arguments were set
    mez_set_argument *arguments; // one per argument of the kernel
    mez_launch_plan plan;        // of the last launch

    uint64_t last_task; // of the queue
    bool busy; // its tasks up to last_task may run: the queue holds a reference of the kernel
    struct mez_kernel_use *next_busy;

    struct mez_kernel_use *next_of_kernel;
    struct mez_kernel_use *next_of_queue;
    struct mez_kernel_use **queue_list; // the list that next_of_queue links
} mez_kernel_use;

// Makes a use for a device, building for it first where that has not been done, and adds it to the queue's list.
// Errors: as mez_kernel_build.
mez_error mez_kernel_use_create(
    mez_kernel *kernel, mez_device *device, mez_kernel_use **queue_list, mez_kernel_use **use);

// Makes a use that the next queue takes, where there is none for this device.
mez_error mez_kernel_build_for(mez_kernel *kernel, mez_device *device);

// Destroys all uses of a queue that goes, or of a kernel that goes. None is busy.
void mez_kernel_uses_destroy_of_queue(mez_platform *platform, mez_kernel_use **queue_list);
void mez_kernel_uses_destroy_of_kernel(mez_kernel *kernel);

// Sets what differs from what was set last.
mez_error mez_kernel_use_set_group_size(mez_kernel_use *use, const uint32_t size[3]);
mez_error mez_kernel_use_set_arguments(mez_kernel_use *use, const mez_args *args);

// The module of a kernel whose code reaches an assert; NULL where it reaches none.
mez_module *mez_kernel_use_asserting_module(const mez_kernel_use *use);

#endif
