// SPDX-License-Identifier: MIT
//
// A module: an image as the driver compiled it for one device.

#ifndef MEZ_IMAGE_MODULE_H
#define MEZ_IMAGE_MODULE_H

#include <pthread.h>

#include "image/devicelib.h"
#include "image/image.h"

// What lib/assert knows of a module's record; guarded by the lock of platform->asserts.
typedef struct mez_assert_slot {
    mez_assert_record reported; // the last one
    bool dirty;                 // it must be cleared on the device
    mez_error error;            // that tells of it, retained; gets what else was collected before
    uint32_t limit;             // of that
    bool prints;                // that goes to stderr, too
    struct mez_module *next;    // that is dirty
} mez_assert_slot;

typedef struct mez_module {
    // Guards the building, which is slow and calls the driver's compiler: who wants the same module meanwhile has to wait.
    pthread_mutex_t lock;
    mez_image *image;
    mez_device *device;
    ze_module_handle_t ze;      // NULL: not built
    ze_module_handle_t library; // ours, where it was linked as a module of its own; else NULL

    // Constant once it is built.
    void *assert_record;       // device address of a mez_assert_record; NULL: there is none to read
    size_t assert_record_size; // bytes
    void *assert_log;          // device address of a mez_assert_log; NULL: it does not collect many
    bool
        native_asserts; // the driver reports failed asserts itself, if at all, and aborts the process
    // What a failed assert writes lies in another module's memory: kernels need indirect access to the device's, because
    // drivers before 26.01 forget it (facts: asserts-and-queues.md 1.6, trap 2).
    bool reaches_library;

    mez_assert_slot assert_slot;
} mez_module;

// One empty module per device of the image's platform.
mez_error mez_modules_create(mez_image *image);
void mez_modules_destroy(mez_image *image);

// The image's module for a device, built if it has not been.
// MEZ_ERRC_COMPILE_PROGRAM, MEZ_ERRC_LINK_PROGRAM with the build log; what else the driver says.
mez_error mez_module_get(mez_image *image, mez_device *device, mez_module **module);

#endif
