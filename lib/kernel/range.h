// SPDX-License-Identifier: MIT
//
// From a range of work-items to work-groups that the device can run.

#ifndef MEZ_KERNEL_RANGE_H
#define MEZ_KERNEL_RANGE_H

#include "kernel/use.h"

// Checks the range against kernel and device, chooses the local size where none is given, and leaves both sizes in use->plan.
// The same range again costs a comparison. Error: MEZ_ERRC_ND_RANGE, or what the driver says to the request for a suggestion.
mez_error mez_range_plan(const mez_range *range, const mez_device *device, mez_kernel_use *use);

// The largest divisor of `size` that is at most `limit`; 1 for a limit of 0.
uint32_t mez_largest_divisor(size_t size, uint32_t limit);

#endif
