// SPDX-License-Identifier: MIT
//
// The arguments of a kernel in public words: mez_kernel_get_argument.

#ifndef MEZ_KERNEL_DECLARED_H
#define MEZ_KERNEL_DECLARED_H

#include "kernel/kernel.h"

// Frees what was said of the kernel's arguments.
void mez_kernel_forget_arguments(mez_kernel *kernel);

#endif
