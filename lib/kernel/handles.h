// SPDX-License-Identifier: MIT
//
// What a kernel has on one device: its module and its Level Zero kernels.

#ifndef MEZ_KERNEL_HANDLES_H
#define MEZ_KERNEL_HANDLES_H

#include "kernel/kernel.h"

struct mez_kernel_device {
    pthread_mutex_t lock; // guards the two below; not held while the driver compiles
    mez_module *module;   // NULL: not built
    mez_kernel_handle *free;
};

mez_error mez_kernel_devices_create(mez_kernel *kernel);
void mez_kernel_devices_destroy(mez_kernel *kernel);

#endif
