// SPDX-License-Identifier: MIT
//
// What drivers say of a kernel that they have built: mez_kernel_get_info.

#ifndef MEZ_KERNEL_INFO_H
#define MEZ_KERNEL_INFO_H

#include "kernel/kernel.h"

// Frees what was asked about the kernel.
void mez_kernel_forget_infos(mez_kernel *kernel);

#endif
