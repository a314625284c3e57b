// SPDX-License-Identifier: MIT
//
// Do the arguments of a submission fit the kernel? Asked before the driver sees them: it checks little.

#ifndef MEZ_KERNEL_ARGUMENTS_H
#define MEZ_KERNEL_ARGUMENTS_H

#include "kernel/kernel.h"

// MEZ_ERRC_KERNEL_ARGUMENT: count, kind or size differ, or the device has less local memory; the story names the argument and
// both sides.
mez_error mez_arguments_check(
    const mez_kernel *kernel, const mez_args *args, const mez_device_info *device);

#endif
