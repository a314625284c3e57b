// SPDX-License-Identifier: MIT
//
// A module: an image as the driver compiled it for one device.

#ifndef MEZ_IMAGE_MODULE_H
#define MEZ_IMAGE_MODULE_H

#include <pthread.h>

#include "image/image.h"

typedef struct mez_module {
    // Guards the building, which is slow and calls the driver's compiler: who wants the same module meanwhile has to wait.
    pthread_mutex_t lock;
    mez_image *image;
    mez_device *device;
    ze_module_handle_t ze; // NULL: not built
    void *assert_record;   // device address of the assert's record; NULL: the module can't assert
    size_t assert_record_size; // bytes
} mez_module;

// One empty module per device of the image's platform.
mez_error mez_modules_create(mez_image *image);
void mez_modules_destroy(mez_image *image);

// The image's module for a device, built if it has not been.
// MEZ_ERRC_COMPILE_PROGRAM, MEZ_ERRC_LINK_PROGRAM with the build log; what else the driver says.
mez_error mez_module_get(mez_image *image, mez_device *device, mez_module **module);

#endif
