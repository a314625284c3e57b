// SPDX-License-Identifier: MIT
//
// Do the arguments and the range of a submission fit the kernel and the device? Asked before the driver sees them: it checks little.

#ifndef MEZ_KERNEL_LAUNCH_H
#define MEZ_KERNEL_LAUNCH_H

#include "kernel/kernel.h"
#include "kernel/use.h"

// Before the kernel is built for a device: nothing is compiled for wrong arguments. Where nothing is known yet, as of native code,
// or where code must not be read before the device has been judged, that is success. Errors as below.
mez_error mez_arguments_check_early(
    mez_kernel *kernel, const mez_args *args, const mez_device_info *device);

// MEZ_ERRC_KERNEL_ARGUMENT: count, kind or size differ, or the device has less local memory; the story names the argument and
// both sides.
mez_error mez_arguments_check(
    const mez_kernel_code *code, const mez_args *args, const mez_device_info *device);

// Checks the range against kernel and device, chooses the local size where none is given, and leaves both sizes in use->plan.
// The same range again costs a comparison. Error: MEZ_ERRC_ND_RANGE, or what the driver says to the request for a suggestion.
mez_error mez_range_plan(const mez_range *range, const mez_device *device, mez_kernel_use *use);

// The largest divisor of `size` that is at most `limit`; 1 for a limit of 0.
uint32_t mez_largest_divisor(size_t size, uint32_t limit);

#endif
