// SPDX-License-Identifier: MIT
//
// Do the arguments of a submission fit the kernel? Asked before the driver sees them: it checks little.

#ifndef MEZ_KERNEL_ARGUMENTS_H
#define MEZ_KERNEL_ARGUMENTS_H

#include "kernel/kernel.h"

// Before the kernel is built for a device: nothing is compiled for wrong arguments. Where nothing is known yet, as of native code,
// or where code must not be read before the device has been judged, that is success. Errors as below.
mez_error mez_arguments_check_early(
    mez_kernel *kernel, const mez_args *args, const mez_device_info *device);

// MEZ_ERRC_KERNEL_ARGUMENT: count, kind or size differ, or the device has less local memory; the story names the argument and
// both sides.
mez_error mez_arguments_check(
    const mez_kernel_code *code, const mez_args *args, const mez_device_info *device);

#endif
