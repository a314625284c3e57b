// SPDX-License-Identifier: MIT
//
// Which of a kernel's codes a device gets.

#ifndef MEZ_KERNEL_CHOOSE_H
#define MEZ_KERNEL_CHOOSE_H

#include "kernel/use.h"

// Fills the use's code, module and kernel of the driver: with the first code that the device has what is needed for and its driver
// takes. After a failure the use may have any of them, to be given back with it. Errors: as mez_kernel_build; of several codes the
// last one's, which is the most general.
mez_error mez_kernel_use_choose(mez_kernel_use *use, mez_device *device);

#endif
